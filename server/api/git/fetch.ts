import { type GitMemory, memoryFor } from '@/server/kernel/git/memory'
import { type Call, readAway } from '@/server/kernel/http/call'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { GitHttpError, notUnderstood } from './errors'
import { endWithClient, startService } from './git-call'
import { type GitLimits, paceFor, type Reserve } from './limits'
import { atPace, readAhead } from './pace'
import { gitHeaders, protocolVariable } from './protocol'
import type { Output } from './reply'
import { isGzipped, pipeBody, type SentBody } from './request-body'
import { fetchSettings } from './settings'
import { streamOutput } from './stream-output'

// What the client wants and has, as text.
const limitBytes = 64 * 1024 * 1024
// Held for each connection before any limit by address counts, so that all of them together stay small.
const aheadBytes = 32 * 1024

/** Body of a fetch request as it arrives: the client's lists of commits it wants and has. */
export function sentQuestion(request: Call): SentBody {
  const gzipped = isGzipped(request)
  const source = request.stream()
  return { body: source.iterator({ destroyOnReturn: false }), gzipped, discard: () => readAway(source) }
}

/**
 * Reads the request of a fetch before it takes a concurrency slot, so that a slow client does not delay
 * others. For most clients this is the whole body.
 * @throws {GitHttpError} if it cannot be read or arrives too slowly.
 */
export async function readQuestion(sent: SentBody, { question }: GitLimits): Promise<SentBody> {
  try {
    return { ...sent, body: await readAhead(atPace(question, sent.body), aheadBytes) }
  } catch (error) {
    // The client went away.
    throw error instanceof GitHttpError ? error : notUnderstood()
  }
}

/** Responds to a fetch with the objects that the client wants and does not have. */
export async function fetchPack(
  authorized: Authorized,
  offered: string,
  output: Output,
  question: SentBody,
  limits: GitLimits,
  reserve: Reserve,
): Promise<void> {
  const { config } = authorized.ctx
  const { storage_key, size_kib: storedKib } = authorized.opened.seen.repository
  const objects = await countPackedObjects(repositoryPath(config, storage_key))
  await reserve(memoryFor({ storedKib, objects }), memory =>
    sendPack(authorized, offered, output, question, limits, memory),
  )
}

async function sendPack(
  { ctx, opened }: Authorized,
  offered: string,
  output: Output,
  question: SentBody,
  limits: GitLimits,
  memory: GitMemory,
): Promise<void> {
  const { config, log, requestId } = ctx
  const started = startService(
    ['upload-pack', '--stateless-rpc', '--strict'],
    repositoryPath(config, opened.seen.repository.storage_key),
    fetchSettings,
    {
      log,
      requestId,
      memory,
      environment: protocolVariable(offered),
    },
  )
  endWithClient(started.process, output.disconnected)
  const paced = atPace(paceFor(limits.question, memory), question.body)
  const fed = pipeBody({ ...question, body: paced }, started.process.stdin, { limitBytes })
  const headers = gitHeaders('application/x-git-upload-pack-result')
  const answer = await streamOutput(started.process.stdout, output, headers, {
    pace: paceFor(limits.pack, memory),
  })
  const well = await started.ended()
  if (output.disconnected.aborted) return
  if (!well || (fed.refusal && !answer.begun)) throw fed.refusal ?? notUnderstood()
  answer.finish()
}
