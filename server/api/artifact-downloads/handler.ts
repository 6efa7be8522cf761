import {
  checkDownload,
  type DownloadPermit,
  findMember,
  findPermitted,
  loadArtifact,
  requireStored,
} from '@/server/artifacts'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, readOnly } from '@/server/kernel/http/call'
import { requestContext, type Services } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, plainAnswer } from '../plain-refusal'
import { type ArtifactTarget, parseArtifactPath } from './download-path'
import { requireSignature } from './require-signature'
import { sendArtifact, sendMember, showArtifact } from './send-artifact'

/** Serves artifacts: to jobs by signed URL, to browsers by session, and to programs by token. */
export const artifactDownloadsMount: Mount = {
  name: 'artifact-downloads',
  match: path => parseArtifactPath(path) !== undefined,
  createHandler: services =>
    readOnly(async (call, connection) => {
      const target = parseArtifactPath(call.path)
      if (!target) throw notFound()
      const ctx = requestContext(services, connection)
      try {
        return await (target.kind === 'signed'
          ? answerSigned(ctx, call, target.permit)
          : answerSession(ctx, call, target))
      } catch (error) {
        return refuse(error, call, target, ctx)
      }
    }),
}

async function answerSigned(ctx: ServiceCtx, call: Call, permit: DownloadPermit): Promise<Answer> {
  requireSignature(checkDownload(ctx, permit, call.query))
  return await sendArtifact(ctx, call, await findPermitted(ctx, permit.artifactId))
}

async function answerSession(
  base: ServiceCtx,
  call: Call,
  { of, id, as, member }: ArtifactTarget & { kind: 'session' },
): Promise<Answer> {
  const ctx = await authenticateReader(base, call, { isApi: false })
  const { artifact } = await loadArtifact(ctx, { ...of, artifact_id: id }, 'read')
  const stored = requireStored(ctx, artifact)
  if (member !== undefined) {
    const isDownload = new URLSearchParams(call.query).has('download')
    const found = await findMember(ctx, stored, member)
    return await sendMember(call, stored, found, isDownload ? 'download' : 'view')
  }
  return await (as === 'view' ? showArtifact : sendArtifact)(ctx, call, stored)
}

function refuse(
  error: unknown,
  { query }: Call,
  target: ArtifactTarget,
  around: Pick<Services, 'log'> & { requestId: string },
): Answer {
  if (target.kind === 'session') {
    return plainAnswer(explainRefusal(error, { names: target.of, at: target.in, query }, around))
  }
  const answer = plainAnswer(explainRefusal(error, undefined, around))
  // Clients must not be asked for a password, because none would help.
  const { 'WWW-Authenticate': _, ...headers } = answer.headers
  return { ...answer, headers }
}
