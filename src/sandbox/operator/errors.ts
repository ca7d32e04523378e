import { RemitError } from '../../base/errors.ts';

/** The operator asked for something that does not exist, or that its state does not allow. */
export class OperatorError extends RemitError {
  readonly code = 'operator';
  readonly kind: 'not-found' | 'refused';

  constructor(kind: 'not-found' | 'refused', message: string, hint: string) {
    super(message, hint);
    this.kind = kind;
  }
}
