import type { ServiceCtx } from '@/server/kernel/ctx'
import {
  conflict,
  type DomainError,
  forbidden,
  notFound,
  tooLarge,
  unprocessable,
} from '@/server/kernel/errors'
import type { UploadPermit } from '../signed-path'
import { findUploadState, mostParts } from './block-store'

/** Returns an error that explains why an upload did not accept a request. */
export async function explainRefusal(ctx: ServiceCtx, permit: UploadPermit): Promise<DomainError> {
  const state = await findUploadState(ctx.db, permit)
  if (!state) return notFound('the artifact was deleted')
  if (state.artifactStatus !== 'pending') return conflict('the artifact is finished and cannot be changed')
  if (state.expires_at === null) return notFound('the upload was replaced by another one')
  if (state.taskStatus === 'ended' || state.expires_at <= ctx.clock.now())
    return forbidden('the upload URL is no longer valid because the job has ended')
  if (state.sha256) return conflict('the artifact is being finished and cannot be changed')
  if ((state.parts ?? 0) >= mostParts)
    return unprocessable(`an artifact can have at most ${mostParts} blocks`)
  return tooLarge(`the artifact exceeds the limit of ${ctx.config.artifactMaxBytes} bytes`)
}
