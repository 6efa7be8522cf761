import type { IncomingMessage, ServerResponse } from 'node:http'
import { type GitMemory, memoryFor } from '@/server/kernel/git/memory'
import { countPackedObjects, repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { GitHttpError, notUnderstood } from './errors'
import { endWithClient, startService } from './git-call'
import { type GitLimits, paceFor, type Reserve } from './limits'
import { atPace, bodyAt, readAhead } from './pace'
import { gitHeaders, offeredProtocol } from './protocol'
import { isGzipped, pipeBody } from './request-body'
import { fetchSettings } from './settings'
import { streamOutput } from './stream-output'

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
    throw error instanceof GitHttpError ? error : notUnderstood()
  }
}

/** Answers a fetch: what the client lacks of what it wants. */
export async function fetchPack(
  authorized: Authorized,
  request: IncomingMessage,
  response: ServerResponse,
  question: Question,
  limits: GitLimits,
  reserve: Reserve,
): Promise<void> {
  const { config } = authorized.ctx
  const { storage_key, size_kib: storedKib } = authorized.opened.seen.repository
  const objects = await countPackedObjects(repositoryPath(config, storage_key))
  await reserve(memoryFor({ storedKib, objects }), memory =>
    sendPack(authorized, request, response, question, limits, memory),
  )
}

async function sendPack(
  { ctx, opened }: Authorized,
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
  const fed = pipeBody(request, paced, call.process.stdin, { gzipped, limitBytes })
  const headers = gitHeaders('application/x-git-upload-pack-result')
  const answer = await streamOutput(call.process.stdout, response, headers, {
    pace: paceFor(limits.pack, memory),
  })
  const well = await call.ended()
  if (response.destroyed) return
  if (!well || (fed.refusal && !answer.begun)) throw fed.refusal ?? notUnderstood()
  answer.finish()
}
