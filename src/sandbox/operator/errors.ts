import { RemitError } from '../../errors.ts';

/** What the operator asked for is not there, or its state does not allow it. */
export class OperatorError extends RemitError {
  readonly code = 'operator';
  readonly kind: 'not-found' | 'refused';

  constructor(kind: 'not-found' | 'refused', message: string, hint: string) {
    super(message, hint);
    this.kind = kind;
  }
}
