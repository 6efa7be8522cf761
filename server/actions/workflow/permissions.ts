import { isMapping } from '@actions/workflow-parser'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index'
import {
  everyJobScope,
  type JobAccess,
  lowerAccess,
  type RequestedPermissions,
} from '@/server/kernel/job-permissions'

/**
 * Reads the `permissions` of a job and of its workflow, which GitHub's schema has accepted. Those of the job
 * replace those of the workflow as a whole.
 * @returns null if neither states any.
 */
export function requestedPermissions(
  ofJob: TemplateToken | undefined,
  ofWorkflow: TemplateToken | undefined,
): RequestedPermissions | null {
  const token = ofJob ?? ofWorkflow
  if (!token) return null
  const listed = isMapping(token)
    ? [...token].map(({ key, value }) => [key.toString(), value.toString()])
    : []
  const all = /^(read|write)-all$/.exec(token.toString())?.[1] as 'read' | 'write' | undefined
  return { scopes: all ? everyScope(all) : (Object.fromEntries(listed) as Record<string, JobAccess>) }
}

// Of the scopes without effect, only `id-token` is shown, which cannot be read.
const everyScope = (access: 'read' | 'write'): Record<string, JobAccess> => ({
  ...everyJobScope(access),
  ...(access === 'write' && { 'id-token': access }),
})

/**
 * Returns what a job of a called workflow can request: for each scope, at most what the calling job requests.
 * If that requests nothing, the default permissions are the limit, which only apply when the token is used.
 */
export function narrowPermissions(
  caller: RequestedPermissions | null,
  called: RequestedPermissions | null,
): RequestedPermissions | null {
  if (!called) return caller
  if (!caller) return { ...called, withinDefault: true }
  const scopes = Object.entries(called.scopes).map(([scope, access]): [string, JobAccess] => [
    scope,
    lowerAccess(access, caller.scopes[scope] ?? 'none'),
  ])
  return { ...caller, scopes: Object.fromEntries(scopes) }
}
