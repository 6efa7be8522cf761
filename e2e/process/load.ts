import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { gitOk } from '@/testing/git'
import { startLocal } from '@/testing/git-repository'
import type { Receiver } from '@/testing/receiver'
import { addKey, freshKey } from './api'
import { admin } from './guildhall'
import { apiOf, makeTeam } from './hooks'

/** An action that failed, with the times at which it began and ended, as `performance.now()`. */
export interface Failure {
  what: string
  from: number
  to: number
}

export interface Load {
  /** Events of changes and pushes that were acknowledged, as `arrivedEvents` names them. */
  acknowledged: string[]
  /** Titles of the keys that were acknowledged. */
  keys: string[]
  failures: Failure[]
  /** Returns the number of actions so far. */
  requests(): number
  /** Waits for this number of further actions. */
  more(requests: number): Promise<void>
  stop(): Promise<void>
}

/** How to reach a repository over SSH. */
interface SshRemote {
  address: string
  command: string
}

/**
 * Reads, changes and pushes from several clients at once until it is stopped, in the organization `acme` with
 * the repository `tools`. `next` returns the URL of the process for the next request.
 */
export function putUnderLoad(next: () => string, token: string, directory: string, ssh?: SshRemote): Load {
  const acknowledged: string[] = []
  const keys: string[] = []
  const failures: Failure[] = []
  let count = 0
  let isStopped = false

  const read = async (path: string): Promise<void> => {
    const url = `${next()}${path}`
    const response = await fetch(url, { headers: { authorization: `token ${token}` } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${response.status} ${url}`)
  }
  const makeKey = async (): Promise<void> => {
    const key = freshKey()
    const response = await addKey(next(), token, key)
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
    keys.push(key.title)
  }
  const changeTeams = async (): Promise<void> => {
    const { name, status, id } = await makeTeam(apiOf(next(), token))
    if (status !== 201) throw new Error(`${status} for team ${name}`)
    acknowledged.push(`team ${name}`)
    const joined = await apiOf(next(), token).call('PUT', `/teams/${id}/members/${admin.name}`)
    if (joined.status !== 204) throw new Error(`${joined.status} for the member of ${name}`)
    acknowledged.push(`membership ${name}`)
  }
  const pushFrom = async (cwd: string, branch: string): Promise<void> => {
    const message = randomBytes(6).toString('hex')
    await gitOk(['commit', '-q', '--allow-empty', '-m', message], { cwd })
    const overHttp = new URL('/acme/tools.git', next())
    overHttp.username = admin.name
    overHttp.password = token
    const isSsh = ssh && branch === 'ssh'
    const settings = isSsh ? { settings: { 'core.sshCommand': ssh.command } } : {}
    await gitOk(['push', '-q', isSsh ? ssh.address : overHttp.href, `HEAD:${branch}`], { cwd, ...settings })
    acknowledged.push(`push ${await gitOk(['rev-parse', 'HEAD'], { cwd })}`)
  }
  const repeat = async (act: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      const from = performance.now()
      try {
        await act()
      } catch (error) {
        const { message, cause } = error as Error
        failures.push({ what: `${message} ${cause ?? ''}`, from, to: performance.now() })
        // Without a pause, what fails at once would keep everything else from running.
        await delay(10)
      }
      count++
    }
  }
  const clients = [
    ...['/api/v1/user/keys', '/explore', '/acme/tools', '/healthz'].map(path => () => read(path)),
    makeKey,
    changeTeams,
    changeTeams,
    ...['one', ssh ? 'ssh' : 'two'].map(branch => {
      const local = `${directory}/${branch}`
      const ready = startLocal(local)
      return () => ready.then(() => pushFrom(local, branch))
    }),
  ]
  const running = Promise.all(clients.map(repeat))
  return {
    acknowledged,
    keys,
    failures,
    requests: () => count,
    async more(requests) {
      for (const enough = count + requests; count < enough; ) await delay(50)
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Returns the events that a receiver of webhooks was sent, such as `team NAME`. */
export const arrivedEvents = (receiver: Receiver): string[] =>
  receiver.calls.map(({ headers, body }) => {
    const content = JSON.parse(body)
    return `${headers['x-gitea-event']} ${content.team?.name ?? content.after ?? content.ref ?? ''}`
  })
