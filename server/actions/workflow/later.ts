import { expressionsIn, type Template } from './template'

/**
 * Whether expressions read what is only known once the run is stored: its ID or number. Reading the whole
 * context `github` counts as reading them.
 */
export const readsRun = (expressions: string): boolean =>
  /\brun_(id|number)\b/i.test(expressions) ||
  /\b(github|gitea)\b(?!\s*\.\s*[\w-]+|\s*\[\s*'[^']*'\s*\])/i.test(expressions)

/** Whether expressions read the outcomes of other jobs. */
export const readsNeeds = (expressions: string): boolean => /\bneeds\b/i.test(expressions)

/** Whether a part of a workflow can only be evaluated once the run is stored or other jobs have completed. */
export function isLater(template: Template): boolean {
  const expressions = expressionsIn(template)
  return readsNeeds(expressions) || readsRun(expressions)
}
