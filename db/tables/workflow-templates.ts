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
  /** Absent for a call of a reusable workflow. */
  runsOn?: Template
  call?: CallTemplate
  /** Name of the job that calls the workflow of this job, which precedes its own name. */
  caller?: string
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

/** Call of a reusable workflow, as a job says it. */
export interface CallTemplate {
  /** Position in the file and text of `uses`. */
  at?: string
  uses: string
  with?: Template
  secrets?: Template
  inherits: boolean
  /** As in `Call`. */
  pinned?: number
}

/** Call of a reusable workflow by a job, with its inputs evaluated. */
export interface Call {
  at?: string
  uses: string
  /** Values of `with`; once the workflow has been read, with its defaults and converted to its types. */
  inputs: { [name: string]: Json }
  secrets?: Template
  /** Contexts that only the job knew and that `secrets` can read. */
  contexts?: { [name: string]: Json }
  inherits: boolean
  /** Workflow that an earlier attempt called, to be called again without reading another version. */
  pinned?: number
  /** How often the workflow could not be read, and from when on that is tried again, in ISO 8601. */
  tries?: number
  retryAt?: string
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
