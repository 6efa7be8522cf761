import type { IncomingMessage, ServerResponse } from 'node:http'
import { usualMemory } from '@/server/kernel/git/memory'
import { repositoryPath } from '@/server/repos/storage'
import { requestContext, type Services } from '@/server/services'
import type { RequestConnection } from '../rest/handler'
import { advertise } from './advertise'
import { type Authorized, authorize, authorizeAgain } from './authorize'
import { GitHttpError, refuse } from './errors'
import { fetchPack, readQuestion } from './fetch'
import { type GitService, type GitTarget, isGitService } from './git-path'
import {
  createAskingPlaces,
  createGitMemory,
  createPlaces,
  type GitLimits,
  type Reserve,
  usualLimits,
} from './limits'
import { takePush } from './push'
import { readAway } from './request-body'
import { createTidying } from './tidying'

type GitHandler = (
  target: GitTarget,
  request: IncomingMessage,
  response: ServerResponse,
  connection: RequestConnection,
) => Promise<void>

/**
 * Makes the handler of git's smart protocol over HTTP. It answers every failure itself, in plain text. Listings,
 * fetches and pushes have places of their own, and share the memory that there is for git.
 */
export function createGitHandler(services: Services, limits: GitLimits = usualLimits): GitHandler {
  const { config, log } = services
  const listings = createPlaces(limits)
  const asking = createAskingPlaces(limits)
  const fetches = createPlaces(limits)
  const pushes = createPlaces(limits)
  const memory = createGitMemory(config.gitMemoryBytes, limits)
  const tidyUp = createTidying(log)

  const answer: GitHandler = async (target, request, response, connection) => {
    const service = serviceOf(target, request)
    const { requestId, remoteAddress, gone } = connection
    const ctx = requestContext(services, { requestId, remoteAddress, gone })
    const authorized = await authorize(ctx, request, service, target.names)
    const { caller } = authorized.ctx
    const account = caller.kind === 'user' ? caller.user.id : undefined
    const asker = { address: remoteAddress, isAnonymous: account === undefined, account, gone }
    // The last to be waited for: git is not started for a client that is gone by then.
    const reserve: Reserve = (wanted, work) =>
      memory(asker)(wanted, async granted => {
        if (!response.destroyed) await work(granted)
      })
    if (target.part === 'info/refs') {
      if (authorized.opened.wasRenamed) throw movedTo(target, authorized, request)
      const list = () => advertise(authorized, service, request, response, limits)
      await listings(asker, () => reserve(usualMemory, list))
    } else if (service === 'git-upload-pack') {
      const question = await asking(asker, () => readQuestion(request, limits))
      await fetches(asker, () => fetchPack(authorized, request, response, question, limits, reserve))
    } else {
      // Whoever has sent a whole push need not wait for what becomes of it.
      const again = () => authorizeAgain({ ...authorized.ctx, gone: undefined }, service, target.names)
      await pushes(asker, () => takePush(authorized, request, response, again, limits, reserve))
      // Nobody waits for this, wherever the push came from.
      const inBackground = memory({ address: '', isAnonymous: false, account })
      tidyUp(repositoryPath(config, authorized.opened.seen.repository.storage_key), inBackground)
    }
  }
  return async (target, request, response, connection) => {
    try {
      await answer(target, request, response, connection)
    } catch (error) {
      refuse(response, error, log, connection.requestId)
      readAway(request)
    }
  }
}

/** Which service a request is for. Throws a refusal for one that no git client of today sends. */
function serviceOf({ part }: GitTarget, request: IncomingMessage): GitService {
  if (part === 'dumb') throw needsSmart()
  if (part === 'info/refs') {
    const service = new URLSearchParams(request.url?.split('?')[1]).get('service')
    if (!isGitService(service)) throw needsSmart()
    requireMethod(request, 'GET')
    return service
  }
  requireMethod(request, 'POST')
  const wanted = `application/x-${part}-request`
  if (request.headers['content-type']?.split(';')[0]?.trim() !== wanted) {
    throw new GitHttpError(415, `Send Content-Type: ${wanted}.`)
  }
  return part
}

const needsSmart = (): GitHttpError =>
  new GitHttpError(403, 'Only the smart HTTP protocol is spoken here: use git 1.6.6 or newer.')

function requireMethod(request: IncomingMessage, method: string): void {
  if (request.method === method) return
  throw new GitHttpError(405, `Use ${method} here.`, { Allow: method })
}

// Git goes on at the new address with the rest of its requests.
function movedTo({ base }: GitTarget, { opened }: Authorized, request: IncomingMessage): GitHttpError {
  const { owner, repository } = opened.seen
  const suffix = base.endsWith('.git') ? '.git' : ''
  const query = request.url?.split('?')[1] ?? ''
  const Location = `/${owner.name}/${repository.name}${suffix}/info/refs?${query}`
  return new GitHttpError(301, `This repository is at ${Location.split('/info/')[0]} now.`, { Location })
}
