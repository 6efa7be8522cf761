import {
  checkRaw,
  directUrl,
  findPermitted,
  loadArtifact,
  requireStored,
  type StoredArtifact,
  signRaw,
} from '@/server/artifacts'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Answer, type Call, type Connection, readOnly } from '@/server/kernel/http/call'
import { originOf } from '@/server/kernel/http/origin'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { pathText } from '@/server/kernel/wire'
import { requestContext } from '@/server/services'
import { authenticateReader } from '../authenticate-reader'
import type { Mount } from '../mount'
import { explainRefusal, refusalAnswer } from '../plain-refusal'
import { requireSignature } from './require-signature'
import { sendArtifact } from './send-artifact'

const signedSeconds = 3600

interface ZipTarget {
  of: { owner: string; repo: string }
  id: number
  isRaw: boolean
  /** Returns the same path under another owner and repository, for redirects. */
  in(names: { owner: string; repo: string }): string
}

const form = /^\/api\/v1\/repos\/([^/]+)\/([^/]+)(\/actions\/artifacts\/(\d{1,15})\/zip(\/raw)?)\/?$/s

function parsePath(path: string): ZipTarget | undefined {
  const [, owner, repo, rest, id, raw] = form.exec(path) ?? []
  if (!owner || !repo) return undefined
  return {
    of: { owner: decoded(owner), repo: decoded(repo) },
    id: Number(id),
    isRaw: raw !== undefined,
    in: names => `/api/v1/repos/${encodeURIComponent(names.owner)}/${encodeURIComponent(names.repo)}${rest}`,
  }
}

// An invalid name becomes the empty name, which no repository has.
const decoded = (text: string): string => pathText.safeParse(text).data ?? ''

/** Serves an artifact's file in the API. As clients expect, it redirects to a URL that needs no token. */
export const artifactZipMount: Mount = {
  name: 'artifact-zips',
  match: path => parsePath(path) !== undefined,
  createHandler: services =>
    readOnly(async (call, connection) => {
      const target = parsePath(call.path)
      if (!target) throw notFound()
      const ctx = requestContext(services, connection)
      try {
        return await (target.isRaw ? answerRaw(ctx, call, target) : redirect(ctx, call, connection, target))
      } catch (error) {
        const named = { names: target.of, at: target.in, query: call.query }
        return refusalAnswer(explainRefusal(error, named, ctx), { isApi: true }, ctx.config)
      }
    }),
}

async function answerRaw(ctx: ServiceCtx, call: Call, { id, of }: ZipTarget): Promise<Answer> {
  requireSignature(checkRaw(ctx, id, call.query))
  return await sendArtifact(ctx, call, await findPermitted(ctx, id, of))
}

async function redirect(
  base: ServiceCtx,
  call: Call,
  connection: Connection,
  { of, id, in: at }: ZipTarget,
): Promise<Answer> {
  const ctx = await authenticateReader(base, call, { isApi: true })
  const found = await loadArtifact(ctx, { ...of, artifact_id: id }, 'read')
  const artifact = requireStored(ctx, found.artifact)
  const origin = ctx.config.artifactBaseUrl ?? originOf(call, connection, ctx.config)
  const path = at({ owner: found.owner.name, repo: found.repository.name })
  const Location = (await directUrl(ctx, artifact)) ?? `${origin}${path}/raw?${rawQuery(ctx, artifact)}`
  // Sent without a content type, because some clients would try to parse an empty body that has one.
  return { status: 302, headers: { ...securityHeaders, 'Cache-Control': privateCaching, Location } }
}

function rawQuery({ config, clock }: ServiceCtx, { id: artifactId }: StoredArtifact): string {
  const expires = Math.floor(clock.now().getTime() / 1000) + signedSeconds
  return signRaw(config, { artifactId, expires })
}
