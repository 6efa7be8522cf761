import { oneLine } from './resolve-job'
import { type Reader, type Template, textAt } from './template'

/** Parts of a workflow about a run, with their expressions not evaluated yet. */
export interface RunTemplate {
  title?: Template
  concurrency?: Template
}

/** Evaluates the title of a run. */
export const titleOf = (reader: Reader, title: Template): string =>
  oneLine(textAt(reader, title, 'The run-name'))
