import { z } from 'zod'
import { ListScopeRunsInput, WorkflowEntry } from '@/server/actions/schema'
import { lenientFlag, pathText, queryText, wireId } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

export const WorkflowList = z
  .object({ workflows: z.array(WorkflowEntry), total_count: wireId })
  .meta({ id: 'ActionWorkflowResponse' })
export type WorkflowList = z.output<typeof WorkflowList>

export const WorkflowPath = RepoPath.extend({
  workflow_id: pathText.describe('The name of the workflow file, such as ci.yml.'),
})
export type WorkflowPath = z.output<typeof WorkflowPath>
export const ListWorkflowRunsInput = WorkflowPath.extend(ListScopeRunsInput.shape)
export type ListWorkflowRunsInput = z.output<typeof ListWorkflowRunsInput>

export const maxInputs = 25
export const maxValueLength = 65_535

const text = z
  .string()
  .max(maxValueLength)
  .refine(value => value.isWellFormed() && !value.includes('\0'), 'Remove the invalid characters.')
const value = z.union([text, z.number(), z.boolean()])

export const DispatchOption = z.object({
  ref: z
    .string()
    .min(1, 'A branch or tag is required.')
    .max(1024)
    .describe('The short or full name of a branch or tag.'),
  inputs: z
    .record(z.string(), value)
    .refine(inputs => Object.keys(inputs).length <= maxInputs, `At most ${maxInputs} inputs are allowed.`)
    .refine(
      inputs => Object.values(inputs).join('').length <= maxValueLength,
      `The inputs must have at most ${maxValueLength} characters in total.`,
    )
    .default({})
    .describe('Values for the inputs of the workflow.'),
  return_run_details: lenientFlag
    .optional()
    .describe('Whether to respond with 200 and the run instead of 204.'),
})
export type DispatchOption = z.output<typeof DispatchOption>

const maxProperties = 10

// PostgreSQL stores neither NUL nor half of a character, in keys or in values.
const isStorable = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isStorable)

export const RepositoryDispatchOption = z.object({
  event_type: z
    .string()
    .min(1, 'An event type is required.')
    .max(100, 'The event type must be at most 100 characters.')
    .refine(value => value.isWellFormed() && !/\p{Cc}/u.test(value), 'Remove the invalid characters.')
    .describe('The type that workflows can filter by with `types`.'),
  client_payload: z
    .record(z.string(), z.json())
    .refine(
      payload => Object.keys(payload).length <= maxProperties,
      `The client_payload must have at most ${maxProperties} properties.`,
    )
    .refine(
      payload => JSON.stringify(payload).length <= maxValueLength,
      `The client_payload must have at most ${maxValueLength} characters.`,
    )
    .refine(isStorable, 'Remove the invalid characters.')
    .default({})
    .describe('Data that workflows read as `github.event.client_payload`.'),
})
export type RepositoryDispatchOption = z.output<typeof RepositoryDispatchOption>

export const DispatchedRun = z
  .object({ workflow_run_id: wireId, run_url: z.string(), html_url: z.string() })
  .meta({ id: 'RunDetails' })
export type DispatchedRun = z.output<typeof DispatchedRun>

/** Workflows of the default branch, for their page. */
export const BrowsedWorkflows = z.object({
  workflows: z.array(
    z.object({
      file: z.string(),
      name: z.string(),
      path: z.string(),
      is_disabled: z.boolean(),
      is_invalid: z.boolean(),
      /** False for a valid workflow that nothing on this site starts and that no other one can call. */
      can_start: z.boolean(),
      /** Mistakes in events, which do not start the workflow. */
      mistakes: z.array(z.string()),
      /** Events of a valid workflow that never happen on this site. */
      warnings: z.array(z.string()),
      /** Events that start the workflow; null if the file cannot be read. */
      events: z.array(z.string()).nullable(),
    }),
  ),
  may_write: z.boolean(),
})
export type BrowsedWorkflows = z.output<typeof BrowsedWorkflows>

/** Workflows and inputs for the form that starts a workflow. */
export const DispatchForm = z.object({
  workflows: z.array(
    z.object({
      file: z.string(),
      name: z.string(),
      /** Why the workflow cannot be started; null if it can. */
      problem: z.enum(['disabled', 'invalid']).nullable(),
      inputs: z.array(
        z.object({
          name: z.string(),
          type: z.enum(['string', 'boolean', 'number', 'choice', 'environment']),
          description: z.string(),
          required: z.boolean(),
          default: z.string(),
          options: z.array(z.string()),
        }),
      ),
    }),
  ),
})
export type DispatchForm = z.output<typeof DispatchForm>

export const DispatchFormInput = RepoPath.extend({
  ref: z.string().max(1024).optional().describe('Defaults to the default branch.'),
})
export type DispatchFormInput = z.output<typeof DispatchFormInput>

/** What a badge of a workflow is asked for. Without a branch, it is about the default branch. */
export const BadgeInput = WorkflowPath.extend({
  branch: queryText.default(''),
  event: queryText.default(''),
})
export type BadgeInput = z.output<typeof BadgeInput>
