import type { ComponentChildren, VNode } from 'preact';
import type { DeskContext } from '../../context.ts';
import { wordsOf } from './words.ts';

interface FormProps {
  readonly desk: DeskContext;
  /** The address to which it is sent. */
  readonly action: string;
  readonly class?: string;
  readonly id?: string;
  /** What is sent beside what a person fills in. */
  readonly values?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
  readonly isUpload?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A form that decides something; nothing where this person may only read. It says what was known when it was shown, and its own name. */
export function Form({
  desk,
  action,
  class: look,
  id,
  values = {},
  isUpload,
  label,
  children,
}: FormProps): VNode | null {
  if (desk.readOnly) return null;
  return (
    <form
      method="post"
      action={action}
      class={look}
      id={id}
      aria-label={label}
      enctype={isUpload ? 'multipart/form-data' : undefined}
    >
      <input type="hidden" name="seen" value={desk.seen} />
      <input type="hidden" name="form" value={desk.form()} />
      {Object.entries(values).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((each) => (
          <input type="hidden" name={name} value={String(each)} />
        )),
      )}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly class?: string;
}

/** A field under its label. */
export function Field({ label, class: look, ...rest }: FieldProps): VNode {
  return (
    <label class={look ? `field ${look}` : 'field'}>
      <span>{label}</span>
      <input type="text" autoComplete="off" {...rest} />
    </label>
  );
}

/** A field that takes a file. */
export function FileField({ label, name }: Pick<FieldProps, 'label' | 'name'>): VNode {
  return (
    <label class="field long">
      <span>{label}</span>
      <input type="file" name={name} required />
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string | null;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A field in which one of some values is chosen. */
export function Choice({ label, name, value, options }: ChoiceProps): VNode {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        {options.map(([each, text]) => (
          <option value={each} selected={each === (value ?? '')}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The courier, where the books are about several. */
export function CourierChoice({ desk, any }: { readonly desk: DeskContext; readonly any?: string }): VNode | null {
  if (desk.couriers.length < 2) return null;
  const { word } = wordsOf(desk);
  const all: readonly (readonly [string, string])[] = any === undefined ? [] : [['', any]];
  return (
    <Choice
      label={word('courier')}
      name="courier"
      value={desk.query.get('courier')}
      options={[...all, ...desk.couriers.map((name) => [name, name] as const)]}
    />
  );
}
