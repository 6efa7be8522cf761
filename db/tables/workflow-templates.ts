/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * Part of a workflow whose expressions are not evaluated yet, as plain data that can be stored. `at` is the
 * position in the file, such as `line 3, column 5`.
 */
export type Template = { at?: string } & (
  | { value: Json }
  | { expression: string }
  | { items: Template[] }
  | { entries: [string, Template][] }
)

/** What a workflow says about a job, with its expressions not evaluated yet. */
export interface JobTemplate {
  name?: Template
  runsOn: Template
  /** Absent once the matrix has been expanded. */
  strategy?: Template
  continueOnError?: Template
  concurrency?: Template
  environment?: Template
  /** Context `strategy` of the job, once the matrix has been expanded. */
  values?: Strategy
  /** Values of the matrix combination that the name shows, once the matrix has been expanded. */
  shown?: Json[]
}

/** Context `strategy` of a job. */
export interface Strategy {
  'fail-fast': boolean
  'job-index': number
  'job-total': number
  'max-parallel': number
}

/** Concurrency group that a run or job belongs to. */
export interface Group {
  name: string
  /** Whether whatever of the group is running is canceled for this. */
  cancels: boolean
  /** Whether this waits without replacing what already waits. */
  queues: boolean
}
