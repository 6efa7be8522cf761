import type { IncomingMessage, ServerResponse } from 'node:http'
import { type GitMemory, memoryFor } from '@/server/kernel/git/memory'
import { countPackedObjects, repositoryPath } from '@/server/repos/git'
import type { Admitted } from './admit'
import { feed, isGzipped } from './feed'
import { endWithClient, startService } from './git-call'
import { type GitLimits, paceFor, type Reserve } from './limits'
import { atPace, bodyAt, readAhead } from './pace'
import { gitHeaders, offeredProtocol } from './protocol'
import { GitRefusal, notUnderstood } from './refusal'
import { relay } from './relay'
import { fetchSettings } from './settings'

// What the client wants and has, as text.
const limitBytes = 64 * 1024 * 1024
// Held for each connection before any limit by address counts, so that all of them together stay small.
const aheadBytes = 32 * 1024

/** What a client asks for, as it comes, or here already. */
export interface Question {
  body: AsyncIterable<Buffer>
  gzipped: boolean
}

/**
 * Reads what a fetch asks for, all that most of them do, before it takes a place: whoever sends slowly holds up nobody.
 * Throws a refusal.
 */
export async function readQuestion(request: IncomingMessage, { question }: GitLimits): Promise<Question> {
  const gzipped = isGzipped(request)
  try {
    return { body: await readAhead(bodyAt(question, request), aheadBytes), gzipped }
  } catch (error) {
    // The client went away.
    throw error instanceof GitRefusal ? error : notUnderstood()
  }
}

/** Answers a fetch: what the client lacks of what it wants. */
export async function fetchPack(
  admitted: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
  question: Question,
  limits: GitLimits,
  reserve: Reserve,
): Promise<void> {
  const { config } = admitted.ctx
  const { storage_key, size_kib: storedKib } = admitted.opened.seen.repository
  const objects = await countPackedObjects(repositoryPath(config, storage_key))
  await reserve(memoryFor({ storedKib, objects }), memory =>
    sendPack(admitted, request, response, question, limits, memory),
  )
}

async function sendPack(
  { ctx, opened }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
  { body, gzipped }: Question,
  limits: GitLimits,
  memory: GitMemory,
): Promise<void> {
  const { config, log, requestId } = ctx
  const offered = offeredProtocol(request)
  const call = startService(
    ['upload-pack', '--stateless-rpc', '--strict'],
    repositoryPath(config, opened.seen.repository.storage_key),
    fetchSettings,
    {
      log,
      requestId,
      memory,
      environment: offered ? { GIT_PROTOCOL: offered } : {},
    },
  )
  endWithClient(call.process, response)
  const paced = atPace(paceFor(limits.question, memory), body)
  const fed = feed(request, paced, call.process.stdin, { gzipped, limitBytes })
  const headers = gitHeaders('application/x-git-upload-pack-result')
  const answer = await relay(call.process.stdout, response, headers, { pace: paceFor(limits.pack, memory) })
  const well = await call.ended()
  if (response.destroyed) return
  if (!well || (fed.refusal && !answer.begun)) throw fed.refusal ?? notUnderstood()
  answer.finish()
}
