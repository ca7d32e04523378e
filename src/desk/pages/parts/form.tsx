import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { RefusedForm } from '../../context.ts';
import { explainedLine, usePage } from './words.ts';

/** Why the form around a field was refused, in the reader's language; null if it was not. */
export const Refused = createContext<(Pick<RefusedForm, 'field' | 'values'> & { readonly why: string }) | null>(null);

interface FormProps {
  /** What the person saw: the digest of a preview; if absent, the number of the state of the books on the page. */
  readonly seen?: number | string;
  readonly action: string;
  /** The addresses to which its other buttons send it. */
  readonly also?: readonly string[];
  /** Whether the desk shows what the decision would do before it makes it. */
  readonly isSeenFirst?: boolean;
  readonly class?: string;
  readonly id?: string;
  /** Hidden fields: what is sent besides what a person fills in. */
  readonly values?: Readonly<Record<string, string | number | readonly (string | number)[] | null>>;
  readonly isUpload?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/**
 * A form that decides something; null if the person may only read. Its hidden fields: `seen`, so that a decision about
 * books that changed meanwhile is refused; `form`, a new name, so that a form that is sent twice decides once.
 */
export function Form(props: FormProps): VNode | null {
  const { desk } = usePage();
  const { action, also = [], isSeenFirst = false, values = {}, isUpload, children } = props;
  if (desk.readOnly) return null;
  const { fault } = desk;
  const isRefused = fault !== null && [action, ...also].includes(fault.path) && hasValues(fault.values, values);
  return (
    <form
      method="post"
      action={isSeenFirst ? `${action}?preview=1` : action}
      class={props.class}
      id={props.id}
      aria-label={props.label}
      enctype={isUpload ? 'multipart/form-data' : undefined}
    >
      {/* Enter in a field presses the first button of a form: one that does nothing. */}
      <button type="submit" disabled hidden />
      <input type="hidden" name="seen" value={props.seen ?? desk.seen} />
      <input type="hidden" name="form" value={desk.form()} />
      {Object.entries(values).flatMap(([name, value]) =>
        asList(value).map((item) => <input type="hidden" name={name} value={String(item)} />),
      )}
      <Refused.Provider value={isRefused ? { ...fault, why: explainedLine(fault.explanation, desk) } : null}>
        {children}
      </Refused.Provider>
    </form>
  );
}

/** Whether a sent form had these hidden fields: a page may have several forms of one address, one for each currency. */
function hasValues(sent: RefusedForm['values'], values: NonNullable<FormProps['values']>): boolean {
  return Object.entries(values).every(([name, value]) => asList(value).every((item) => sent.has(name, String(item))));
}

/** The button that does what its form is for. */
export function MainButton({ children }: { readonly children: string }): VNode {
  return (
    <button type="submit" class="first">
      {children}
    </button>
  );
}

interface UndoFormProps {
  readonly action: string;
  readonly name: 'undo' | 'unmatch';
  readonly id: number | null;
}

/** A form, folded, that undoes something; the person must say why. */
export function UndoForm({ action, name, id }: UndoFormProps): VNode {
  const { desk, word } = usePage();
  return (
    <details>
      <summary>{word(name)}</summary>
      <Form action={action} isSeenFirst class="inline" values={{ back: desk.link({}) }}>
        <LabelledInput label={word('reason')} name="reason" required />
        <button type="submit" aria-label={`${word(name)} ${id}`}>
          {word(name)}
        </button>
      </Form>
    </details>
  );
}

function asList(value: NonNullable<FormProps['values']>[string]): readonly (string | number)[] {
  if (value === null) return [];
  return typeof value === 'object' ? value : [value];
}

/** What a field shows after its form was refused: what was filled in, and the reason if it is at fault. */
function useFault(name: string) {
  const refused = useContext(Refused);
  const isAtFault = refused?.field === name;
  return {
    value: refused?.values.get(name) ?? undefined,
    why: isAtFault ? (
      <span class="bad" id={`why-${name}`}>
        {refused.why}
      </span>
    ) : null,
    marks: isAtFault ? ({ 'aria-invalid': true, 'aria-describedby': `why-${name}` } as const) : {},
  };
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly class?: string;
  /** What is typed into a password field is never sent back to the page. */
  readonly type?: 'text' | 'password';
  /** The id of the `<datalist>` that proposes values. */
  readonly list?: string;
}

export function LabelledInput({ label, class: look, value, type = 'text', ...attributes }: FieldProps): VNode {
  const fault = useFault(attributes.name);
  const shown = type === 'password' ? undefined : (fault.value ?? value);
  return (
    <label class={look ? `field ${look}` : 'field'}>
      <span>{label}</span>
      <input type={type as 'text'} autoComplete="off" {...attributes} value={shown} {...fault.marks} />
      {fault.why}
    </label>
  );
}

interface ChoiceProps extends Pick<FieldProps, 'label' | 'name'> {
  readonly value?: string | null;
  readonly options: readonly (readonly [value: string, text: string])[];
  /** Whether a value must be chosen, and not the empty one. */
  readonly required?: boolean;
}

export function ChoiceField({ label, name, value, options, required }: ChoiceProps): VNode {
  const fault = useFault(name);
  const chosen = fault.value ?? value ?? '';
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} required={required} {...fault.marks}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === chosen}>
            {text}
          </option>
        ))}
      </select>
      {fault.why}
    </label>
  );
}

interface CourierProps {
  /** The text of the choice of no courier in particular; absent if one must be chosen. */
  readonly anyLabel?: string;
  readonly name?: string;
}

export function CourierField({ anyLabel, name = 'courier' }: CourierProps): VNode | null {
  const { desk, word } = usePage();
  if (desk.couriers.length < 2) return null;
  const anyCourier: readonly (readonly [string, string])[] = anyLabel === undefined ? [] : [['', anyLabel]];
  const options = [...anyCourier, ...desk.couriers.map((courier) => [courier, courier] as const)];
  return <ChoiceField label={word('courier')} name={name} value={desk.query.get('courier')} options={options} />;
}
