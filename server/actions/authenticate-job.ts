import { findJobCaller, notJobToken } from '@/server/auth/credentials/job-token'
import type { JobCtx, ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'

/**
 * Authenticates a job by the token in an Authorization header, where nobody else may call.
 * @throws {DomainError} unauthenticated, also without a token, as `findJobCaller`.
 */
export async function authenticateJob(
  ctx: ServiceCtx,
  authorization: string | null | undefined,
): Promise<JobCtx> {
  if (!authorization) throw unauthenticated('the token of a job is required')
  const token = /^(?:bearer|token) +([^\s]+) *$/i.exec(authorization)?.[1]
  if (!token) throw notJobToken()
  return { ...ctx, caller: await findJobCaller(ctx, token) }
}
