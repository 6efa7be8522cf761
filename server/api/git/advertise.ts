import type { IncomingMessage, ServerResponse } from 'node:http'
import { repositoryPath } from '@/server/repos/storage'
import type { Authorized } from './authorize'
import { endWithClient, startService } from './git-call'
import type { GitService } from './git-path'
import type { GitLimits } from './limits'
import { gitHeaders, greeting, offeredProtocol } from './protocol'
import { fetchSettings, pushSettings } from './settings'
import { streamOutput } from './stream-output'

/** Answers which refs there are, or with version 2 what the server can do: the first request of every git command. */
export async function advertise(
  { ctx, opened }: Authorized,
  service: GitService,
  request: IncomingMessage,
  response: ServerResponse,
  { pack }: GitLimits,
): Promise<void> {
  const { config, log, requestId } = ctx
  const offered = offeredProtocol(request)
  const call = startService(
    [service.slice('git-'.length), '--stateless-rpc', '--advertise-refs'],
    repositoryPath(config, opened.seen.repository.storage_key),
    service === 'git-receive-pack' ? pushSettings(config) : fetchSettings,
    { log, requestId, environment: offered ? { GIT_PROTOCOL: offered } : {} },
  )
  endWithClient(call.process, response)
  call.process.stdin.end()
  const headers = gitHeaders(`application/x-${service}-advertisement`)
  const output = greeted(greeting(service, offered), call.process.stdout)
  const answer = await streamOutput(output, response, headers, { pace: pack })
  if (!(await call.ended()) && !response.destroyed) throw new Error(`git ${service} could not list the refs`)
  answer.finish()
}

// Together with the first of it: as long as git has said nothing, a failure can still be told.
async function* greeted(greeting: string, output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first = true
  for await (const chunk of output) {
    yield first ? Buffer.concat([Buffer.from(greeting), chunk]) : chunk
    first = false
  }
}
