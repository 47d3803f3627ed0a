import { useEffect, useId, useRef, type FormEvent, type ReactNode } from "react";
import type { Run, Value } from "wavepoint";
import { askedOf } from "wavepoint/browser";
import { usePause } from "wavepoint/react";
import { answerOf, changed, fieldsOf, isKept, valueOf, type Field } from "../questionnaire/fields.ts";

/** The question that is open. */
export function Question({ run, onBack }: { readonly run: Run; readonly onBack: () => void }): ReactNode {
  const { pause, draft, isSending, error, fieldErrors, answer, saveDraft } = usePause(run);
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => heading.current?.focus(), [pause?.id]);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), [error]);
  if (!pause) return null;

  const fields = fieldsOf(pause);
  const messageOf = ({ instancePath, label }: Field): string | undefined => {
    const wrong = fieldErrors.find((one) => one.instancePath === instancePath);
    return instancePath === "" ? error?.message : wrong && `${label} ${wrong.message}`;
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    // What is thrown is in `error` too.
    void answer(answerOf(pause, draft)).catch(() => {});
  };
  return (
    <main>
      <p className="step">Question {pause.progress.answered + 1}</p>
      <h1 ref={heading} tabIndex={-1}>
        {askedOf(pause).heading}
      </h1>
      <p className="lead">{askedOf(pause).lead}</p>
      <form ref={form} onSubmit={send} noValidate>
        {fields.map((field) => (
          <Control
            key={pause.id + field.name}
            field={field}
            value={valueOf(field, pause, draft)}
            message={messageOf(field)}
            onChange={(value) => saveDraft(changed(field, pause, draft, value))}
          />
        ))}
        {error && !fields.some(messageOf) && (
          <p className="error" role="alert">
            {error.message}
          </p>
        )}
        <footer>
          <button disabled={isSending}>Continue</button>
          {pause.allows.back && (
            <button type="button" className="quiet" onClick={onBack}>
              Back
            </button>
          )}
        </footer>
      </form>
      <p className="note">{isKept(pause, draft) && "Kept on this device."}</p>
    </main>
  );
}

interface ControlProps {
  readonly field: Field;
  readonly value: Value | undefined;
  readonly message: string | undefined;
  readonly onChange: (value: Value) => void;
}

function Control({ field: { label, control, choices }, value, message, onChange }: ControlProps): ReactNode {
  const id = useId();
  const shared = { id, "aria-invalid": message !== undefined, "aria-describedby": message === undefined ? undefined : `${id}-error` };
  return (
    <div className="field">
      {control === "checkbox" ? (
        <label htmlFor={id}>
          <input {...shared} type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />
          {label}
        </label>
      ) : (
        <>
          <label htmlFor={id}>{label}</label>
          {control === "choice" ? (
            <select {...shared} value={String(value ?? "")} onChange={(event) => onChange(event.target.value)}>
              <option value="">Please choose</option>
              {choices.map(({ const: choice, title = String(choice) }) => (
                <option key={String(choice)} value={String(choice)}>
                  {title}
                </option>
              ))}
            </select>
          ) : (
            <input
              {...shared}
              type={control === "date" ? "date" : "text"}
              inputMode={control === "number" ? "numeric" : undefined}
              value={String(value ?? "")}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </>
      )}
      {message !== undefined && (
        <p className="error" id={`${id}-error`}>
          {message}
        </p>
      )}
    </div>
  );
}
