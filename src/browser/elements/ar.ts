import type { ErrorData } from "../../core/model/errors.ts";
import { fieldErrorIn } from "./field-error-texts.ts";
import type { Translation } from "./messages.ts";
import { numbersIn } from "./numbers-in.ts";

const { number, count } = numbersIn("ar");

const QUESTIONS = { one: "سؤال واحد", two: "سؤالان", few: "# أسئلة", many: "# سؤالًا", other: "# سؤال" };
const CHARACTERS = { one: "حرف واحد", two: "حرفين", few: "# أحرف", many: "# حرفًا", other: "# حرف" };
const ANSWERS = { one: "إجابة واحدة", two: "إجابتين", few: "# إجابات", many: "# إجابة", other: "# إجابة" };

/** Arabic. */
export const ar: Translation = {
  lang: "ar",
  send: "متابعة",
  sending: "جارٍ الإرسال…",
  back: "رجوع",
  skip: "تخطّي هذا السؤال",
  decline: "الامتناع عن الإجابة",
  cancel: "إلغاء",
  yes: "نعم",
  no: "لا",
  optional: "اختياري",
  progress: ({ answered, remaining: { min, max } }) => {
    const [least, most] = [Math.max(0, min - 1), max === undefined ? undefined : Math.max(0, max - 1)];
    const here = `السؤال ${number(answered + 1)}`;
    if (most === 0) return `${here}، وهو الأخير`;
    if (most === undefined) return least === 0 ? here : `${here}، ويتبقّى على الأقل ${count(least, QUESTIONS)}`;
    if (least === most) return `${here}، ويتبقّى ${count(most, QUESTIONS)}`;
    return least === 0
      ? `${here}، وقد يتبقّى حتى ${count(most, QUESTIONS)}`
      : `${here}، ويتبقّى من ${number(least)} إلى ${count(most, QUESTIONS)}`;
  },
  progressLabel: "التقدّم",
  review: "إجاباتك",
  leaveReview: "العودة إلى السؤال",

  fieldError: fieldErrorIn({
    // A name in another script keeps its own direction, and its question mark its place.
    name: (sentence, label) => sentence.replace("%", () => label && ` في «\u2068${label}\u2069»`),
    wanted: {
      text: "اكتب إجابة%.",
      number: "اكتب رقمًا%، مثل #.",
      integer: "اكتب رقمًا صحيحًا%.",
      money: "اكتب مبلغًا%، مثل #.",
      email: "اكتب بريدًا إلكترونيًّا%، مثل name@example.com.",
      uri: "اكتب عنوان موقع%، مثل https://example.com.",
      date: "اكتب تاريخًا%، مثل #.",
      "date-time": "اكتب تاريخًا ووقتًا%، مثل #.",
      time: "اكتب وقتًا%، مثل #.",
      month: "اكتب الشهر والسنة%، مثل #.",
      choice: "اختر إجابة%.",
      choices: "اختر إجابة واحدة على الأقل%.",
      tick: "ضع علامة في المربّع%.",
      file: "اختر ملفًّا%.",
      signature: "وقّع في الإطار%.",
      list: "أضف عنصرًا واحدًا على الأقل%.",
    },
    unmet: {
      pattern: "راجع طريقة كتابة الإجابة%.",
      const: "أجب% بهذا: #.",
      minLength: (limit) => `اكتب على الأقل ${count(limit, CHARACTERS)}%.`,
      maxLength: (limit) => `اكتب على الأكثر ${count(limit, CHARACTERS)}%.`,
      fileSize: "اختر ملفًّا لا يزيد على #%.",
      minimum: "اكتب # أو أكثر%.",
      maximum: "اكتب # أو أقل%.",
      exclusiveMinimum: "اكتب أكثر من #%.",
      exclusiveMaximum: "اكتب أقل من #%.",
      multipleOf: "اكتب أحد مضاعفات #%.",
      minDate: "اكتب # أو يومًا بعده%.",
      maxDate: "اكتب # أو يومًا قبله%.",
      minItems: (limit) => `أعطِ على الأقل ${count(limit, ANSWERS)}%.`,
      maxItems: (limit) => `أعطِ على الأكثر ${count(limit, ANSWERS)}%.`,
      uniqueItems: "أعطِ كل إجابة مرة واحدة فقط%.",
      exclusive: "اختر إمّا «#» وإمّا إجابات أخرى%.",
      contentMediaType: "اختر نوعًا آخر من الملفات%: #.",
      additionalProperties: "احذف الإجابة%: فهي غير مطلوبة هنا.",
      json: "راجع علامات الاقتباس والفواصل والأقواس%: ليس هذا JSON بعد.",
    },
    other: "راجع الإجابة%.",
  }),
  error: ({ code, message }) => ERRORS[code] ?? message,
  more: "خيارات أخرى",
  cancelQuestion: "سينتهي كل شيء هنا، ولن يمكن الإجابة بعد ذلك.",
  cancelSurely: "نعم، إنهاء",
  cancelNot: "لا، أواصل",
  choose: "اختر…",
  clear: "مسح",
  json: "يُكتب بصيغة JSON.",
  chooseFile: "اختيار ملف",
  fileHint: "أو إفلاته هنا",
  removeFile: "إزالة",
  add: (name) => `إضافة ${name}`,
  remove: (name) => `إزالة ${name}`,
  item: (list, nth) => `${list || "العنصر"} ${nth}`,
  problems: (problems) =>
    count(problems, {
      one: "إجابة واحدة تحتاج إلى مراجعة",
      two: "إجابتان تحتاجان إلى مراجعة",
      few: "# إجابات تحتاج إلى مراجعة",
      many: "# إجابة تحتاج إلى مراجعة",
      other: "# إجابة تحتاج إلى مراجعة",
    }),
  earlier: (answer, state) => {
    const then = {
      ok: "",
      needs_review: "تغيّر شيء قبل هذا السؤال، فراجعها من فضلك.",
      invalid: "تغيّر شيء قبل هذا السؤال، ولم تعد مناسبة.",
    }[state];
    return (answer.includes("\n") ? `كانت إجابتك:\n${answer}\n${then}` : `كانت إجابتك: ${answer}. ${then}`).trim();
  },
  deadline: (instant) => `يُرجى الإجابة قبل ${instant}.`,
  draftKept: "حُفظ",
  filesLater: "تُحفظ الملفات عند المتابعة.",
  saveFile: (file) => `حفظ ${file}`,
  draftLost: (problem) => `لم يُحفظ بعد. ${problem}`,
  unsent: (question) => `لم يعد السؤال «${question}» ينتظر إجابة. لم يُرسل ما كتبته فيه:`,
  waitingToo: "أسئلة أخرى تنتظر:",
  working: "جارٍ العمل…",
  stepsDone: (done, total) => `الخطوات المنجزة: ${done} من ${total}`,
  tryingAgain: (time) => `لم ينجح الأمر بعد. المحاولة التالية في ${time}.`,
  offline: "هذا الجهاز غير متّصل بالإنترنت.",
  stopped: "توقّف العمل قبل أن يكتمل.",
  stoppedForNow: "العمل متوقّف مؤقّتًا.",
  waitingUntil: (instant) => `يُستأنف في ${instant}.`,
  waitingFor: (events) => `يُستأنف عند الإعلان عن: ${events}.`,
  goOn: "استئناف",
  tryAgain: "إعادة المحاولة",
  completed: "تمّ",
  failed: "لم ينجح الأمر",
  cancelled: "أُنهي",
  transferred: (to) => `يُستكمل هذا في مكان آخر: ${to}.`,
  change: "تغيير",
  keepAnswer: "إبقاؤها كما هي",
  preview: "عرض ما سيتغيّر",
  whatChanges: "ما سيتغيّر",
  consequences: {
    kept: "يبقى كما هو",
    asked: "سيُسأل عنه",
    rerun: "سيُعاد",
    effects: "يغيّر شيئًا خارج هذه الصفحة",
    once: "يحدث مرّة واحدة: سنسألك قبل تكراره",
    leftDone: "تمّ من قبل ولا يُتراجع عنه",
    skipped: "لن يحدث",
    uncertain: "قد يُسأل عنه أو يُعاد",
  },
  sendAll: "إرسال",
  print: "طباعة هذه الإجابات أو حفظها",
  noConsequences: "لا يتغيّر شيء آخر.",
  revise: "تغيير الإجابة",
  answersStay: "انتهى هذا، فتبقى الإجابات كما هي.",
  reviewStatus: {
    answered: "أُجيب عنه",
    open: "في انتظارك",
    declined: "دون إجابة",
    expired: "أُغلق دون إجابة",
    skipped: "لم يُسأل",
    pending: "لم يُسأل بعد",
  },
  status: {
    pending: "لم يبدأ",
    running: "قيد التنفيذ",
    completed: "تمّ",
    failed: "فشل",
    paused: "يسأل",
    waiting: "ينتظر",
    skipped: "تُخطّي",
    stopped: "متوقّف",
  },

  fields: {
    moveUp: (name) => `نقل ${name} إلى أعلى`,
    moveDown: (name) => `نقل ${name} إلى أسفل`,
    moved: (name, place) => `أصبح ${name} في الموضع ${place}.`,
    place: (nth, total) => `${nth} من ${total}`,
    added: (name) => `أُضيف ${name}.`,
    removed: (name, left) => `أُزيل ${name}. المتبقّي: ${left}.`,
    searchHint: "اكتب للبحث في القائمة.",
    found: (found) => `عدد النتائج: ${found}`,
    nothingFound: "لا شيء في القائمة يطابق هذا.",
    showAll: "عرض القائمة كاملة",
    other: "غير ذلك",
    otherText: "اذكرها من فضلك",
    searchOther: "اكتب للبحث في القائمة، أو اكتب شيئًا آخر.",
    takenAsOther: "ليس في القائمة: يُؤخذ كما تكتبه.",
    signHere: "وقّع هنا بإصبعك أو بقلم أو بالفأرة.",
    typeName: "أو اكتب اسمك الكامل",
    signed: "تمّ التوقيع",
    addFiles: "يمكنك اختيار عدّة ملفات أو إفلاتها هنا.",
    or: "أو",
    cleared: "أُلغيت اختياراتك الأخرى.",
    characters: (used, most) => `${used} من ${most} حرف`,
    takes: (kinds, size) => [kinds, size && `على الأكثر ${size}`].filter(Boolean).join("، "),
    kinds: { image: "صور", audio: "تسجيلات صوتية", video: "مقاطع فيديو", text: "نصوص" },
  },

  history: {
    title: "السجلّ",
    runs: "التشغيلات",
    runStatus: {
      running: "قيد التنفيذ",
      paused: "يسأل",
      completed: "تمّ",
      failed: "فشل",
      cancelled: "أُنهي",
      deleted: "حُذف",
    },
    thisRun: "معروض هنا",
    open: "فتح",
    checkpoints: "نقاط الحفظ",
    afterWave: "بعد المرحلة",
    superseded: "قبل تغيير",
    state: "عرض",
    fork: "تفرّع من هنا",
    compareFrom: "من",
    compareTo: "إلى",
    compare: "مقارنة",
    same: "لا يوجد فرق.",
    nothing: "لا شيء",
    inputs: "المدخلات",
    answers: "الإجابات",
    change: (before, after) => `${before} ← ${after}`,
  },

  graph: {
    title: "مخطّط سير العمل",
    help: "تتبع الأسهم الخطوط، ويفتح مفتاح الإدخال كتلة، ويغيّر زائد وناقص الحجم، ويعرض 0 كل شيء.",
    wave: (nth) => `المرحلة ${nth}`,
    undoing: "التراجع",
    zoomIn: "تكبير",
    zoomOut: "تصغير",
    fit: "عرض الكل",
    follow: "متابعة السير",
    list: "الكتل في قائمة",
    legend: "معاني العلامات",
    marks: {
      condition: "له شرط",
      items: "يعمل مرّة لكل عنصر",
      loop: "عدد مرّات عمله من الحدّ الأقصى",
      writes: "يكتب في هذه القنوات",
      optional: "ليس ضروريًّا، أو لا يؤدّي دائمًا إلى ما بعده",
      undoing: "يُتراجع عنه بواسطة",
    },
    close: "إغلاق",
    showInside: "عرض ما استدعاه",
    hideInside: "إخفاء ما استدعاه",
    status: "الحالة",
    started: "البدء",
    took: "المدّة",
    attempts: "المحاولات",
    iteration: "التنفيذ",
    ofLimit: (nth, limit) => `${nth} من ${limit} على الأكثر`,
    items: "العناصر",
    allItems: "كل العناصر",
    item: (key) => `العنصر ${key}`,
    why: "السبب",
    skipped: (reason) => {
      if (reason.kind === "condition") return `لم يتحقّق شرطه: ${reason.condition}`;
      if (reason.kind === "dependency") return `تُخطّي «${reason.block}».`;
      if (reason.kind === "not-chosen") return `سلك «${reason.block}» طريقًا آخر.`;
      if (reason.kind === "no-failure") return `لم يفشل «${reason.block}».`;
      if (reason.kind === "event") return `جاء «${reason.event}» قبل الإجابة.`;
      if (reason.kind === "timeout") return "لم تصل إجابة في الوقت.";
      if (reason.kind === "left-out") return "تُرك السؤال.";
      return reason.kind === "empty" ? "لم يكن هناك ما يُعالَج." : "يبدأ التفرّع بعده.";
    },
    inputs: "المدخلات",
    outputs: "النتائج",
    error: "الخطأ",
    executions: "التنفيذات",
  },
};

/** The errors that people see; the others are for the developer of the page. */
const ERRORS: { readonly [code in ErrorData["code"]]?: string } = {
  RESPONSE_REQUIRED: "الإجابة مطلوبة هنا.",
  RESPONSE_INVALID: "الإجابة لا تناسب السؤال.",
  PAUSE_ALREADY_ANSWERED: "أُجيب عن هذا السؤال في مكان آخر في هذه الأثناء.",
  PAUSE_DECLINED: "بقي سؤال دون إجابة. غيّره في «إجاباتك» أو أعد المحاولة.",
  PAUSE_TIMEOUT: "لم تصل إجابة في الوقت.",
  PAUSE_EXPIRED: "لم تصل إجابة في الوقت، فلا توجد إجابة لتغييرها.",
  CHECKPOINT_PRUNED: "لم يُحفظ شيء من هذا الزمن البعيد.",
  PAUSE_WITHDRAWN: "تغيّرت إجابة سابقة في هذه الأثناء، فلا يُسأل هذا الآن. ما كتبته محفوظ.",
  RUN_ENDED: "انتهى هذا. لم يعد من الممكن تغيير الإجابات.",
  RUN_NOT_FOUND: "حُذف هذا في هذه الأثناء. أعد تحميل الصفحة للبدء من جديد.",
  RUN_TRANSFERRED: "لا يُستكمل هذا هنا: سُلّم إلى مكان آخر.",
  STORE_QUOTA: "لم تعد هناك مساحة على هذا الجهاز. أفسح بعض المساحة ثم أعد المحاولة.",
  STORE_LOST: "تعذّر الوصول إلى تخزين المتصفّح. أعد المحاولة.",
  STORE_UNREACHABLE: "انقطع الاتصال. ما كتبته لا يزال هنا: أعد المحاولة بعد قليل.",
  STORE_UNAVAILABLE: "لا يسمح المتصفّح بحفظ شيء هنا.",
  STORE_RESET: "مُحي ما كان محفوظًا في هذا المتصفّح. ابدأ من جديد، أو افتح ملفًّا صدّرته.",
  STORE_CONFLICT: "استُكمل هذا في نافذة أخرى في هذه الأثناء. أعد المحاولة.",
};
