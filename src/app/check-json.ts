import type { CheckResult, FoundMismatch } from './check-result.ts';

/** What `check --json` prints of a result. @param onlyNew what opened, reopened or was resolved, and nothing else */
export function checkJson(result: CheckResult, { onlyNew = false } = {}) {
  const { changed, changedGroups, mismatches, groups, ...others } = result;
  const {
    uncompared: _,
    reasons: _reasons,
    effects: _effects,
    returns: _returns,
    reopened: _ids,
    early: _months,
    parts: _parts,
    ...rest
  } = others;
  const shown = onlyNew ? changed : mismatches;
  const causes = onlyNew ? [...changedGroups.shown, ...changedGroups.resolved] : groups;
  return { ...rest, groups: causes, mismatches: shown.map(withoutNote) };
}

function withoutNote({ note: _note, ...mismatch }: FoundMismatch) {
  return mismatch;
}
