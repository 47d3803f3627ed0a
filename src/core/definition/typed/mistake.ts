/** What stands in place of something wrong, so that the compiler says why: nothing fits it. */
export interface Mistake<Message extends string> {
  readonly "~mistake": Message;
}

/** The same, with what may stand there. */
export interface MistakeOf<Message extends string, Choices> extends Mistake<Message> {
  readonly "~choices": Choices;
}

// Whether anything is wrong is found out first, as a union that is `never` where nothing is. Only then do objects say where: to make one for each thing that
// is right, and to compare the definition with it, would cost the compiler far more.

/** The members that are not `never`; `never` where there are none. */
export type Wrong<Checked> = [Checked[keyof Checked]] extends [never]
  ? never
  : { readonly [K in keyof Checked as [Checked[K]] extends [never] ? never : K]: Checked[K] };

/** The indexes of a list. The other keys are its methods: to look at those would cost more than all else. */
export type Indexes<List> = keyof List & `${number}`;

/** A name that is not there: with the one that was likely meant, else with those that are there. */
export type UnknownName<Message extends string, Word extends string, Names> =
  Suggest<Word, Names> extends ""
    ? [Names] extends [never]
      ? Mistake<Message>
      : MistakeOf<`${Message} It is none of these.`, Names>
    : Mistake<`${Message}${Suggest<Word, Names>}`>;

/** The name that was likely meant, as a sentence; nothing where none is near. Looked for only where something is wrong. */
export type Suggest<Word extends string, Names> = string extends Names
  ? ""
  : [Near<Word, Extract<Names, string>>] extends [never]
    ? ""
    : ` Did you mean "${Near<Word, Extract<Names, string>>}"?`;

/**
 * The names that are at most one letter away: one too many, one too few, another one, or two that changed places. Capitals and underscores do not count, so
 * that `depends_on` is near `dependsOn`.
 */
type Near<Word extends string, Name extends string> = Name extends string
  ? Bare<Word> extends Bare<Name>
    ? Name
    : [(Word | Exclude<Shorter<Word>, "">) & (Name | Exclude<Shorter<Name>, "">)] extends [never]
      ? never
      : Name
  : never;

type Bare<Text extends string> = Text extends `${infer Before}_${infer After}` ? Bare<`${Before}${After}`> : Lowercase<Text>;

/** The texts that are left when one letter is taken out. */
type Shorter<Text extends string, Before extends string = "", Found = never> = Text extends `${infer Letter}${infer Rest}`
  ? Shorter<Rest, `${Before}${Letter}`, Found | `${Before}${Rest}`>
  : Found;
