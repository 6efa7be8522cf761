import type { IncomingMessage, ServerResponse } from 'node:http'
import { memoryFor } from '@/server/kernel/git/memory'
import { repositoryPath } from '@/server/repos/git'
import type { Admitted } from './admit'
import { feed, isGzipped } from './feed'
import { endWithClient, startService } from './git-call'
import { gitHeaders, offeredProtocol } from './protocol'
import { notUnderstood } from './refusal'
import { relay } from './relay'
import { fetchSettings } from './settings'

// What the client wants and has, as text.
const limitBytes = 64 * 1024 * 1024

/** Answers a fetch: what the client lacks of what it wants. */
export async function fetchPack(
  { ctx, opened }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gzipped = isGzipped(request)
  const { config, log, requestId } = ctx
  const offered = offeredProtocol(request)
  const { storage_key, size_kib } = opened.seen.repository
  const call = startService(
    ['upload-pack', '--stateless-rpc', '--strict'],
    repositoryPath(config, storage_key),
    fetchSettings,
    {
      log,
      requestId,
      memory: memoryFor(size_kib),
      environment: offered ? { GIT_PROTOCOL: offered } : {},
    },
  )
  endWithClient(call.process, response)
  const body = feed(request, call.process.stdin, { gzipped, limitBytes })
  const headers = gitHeaders('application/x-git-upload-pack-result')
  const answer = await relay(call.process.stdout, response, headers)
  const well = await call.ended()
  if (response.destroyed) return
  if (!well || (body.broken && !answer.begun)) throw notUnderstood()
  answer.finish()
}
