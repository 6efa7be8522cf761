import type { EventKind, Notice } from './catalogue'
import type { Signal } from './hub'

/**
 * What a response to a visitor shows: something of the whole site, such as a list of repositories, or only
 * repositories.
 */
export type Shows = 'site' | 'repositories'

/** What decides whether a signal makes a response outdated. */
export interface Dependencies {
  shows: Shows
  /** IDs of the repositories that it shows. */
  repositories: Pick<ReadonlySet<number>, 'has'>
}

type Thing = EventKind | Notice['kind'] extends infer Kind
  ? Kind extends `${infer Word}.${string}`
    ? Word
    : never
  : never

/**
 * How far the events and notices about a thing reach: all responses to visitors, those that show the site or
 * the repository, only those that show the repository, or none. A new kind of thing does not compile
 * without an entry.
 */
const reaches: Readonly<Record<Thing, 'everywhere' | 'site' | 'repository' | 'nowhere'>> = {
  // Anything can show a name or a picture, and visibility decides about all repositories of an account.
  user: 'everywhere',
  org: 'everywhere',
  repository: 'site',
  git: 'site',
  ref: 'site',
  refs: 'site',
  release: 'site',
  run: 'repository',
  job: 'repository',
  status: 'repository',
  workflow: 'repository',
  account: 'nowhere',
  calls: 'nowhere',
  collaborator: 'nowhere',
  deploy_key: 'nowhere',
  event: 'nowhere',
  events: 'nowhere',
  hook: 'nowhere',
  jobs: 'nowhere',
  key: 'nowhere',
  log: 'nowhere',
  notifications: 'nowhere',
  password: 'nowhere',
  permissions: 'nowhere',
  runner: 'nowhere',
  secret: 'nowhere',
  session: 'nowhere',
  team: 'nowhere',
  token: 'nowhere',
  transfer: 'nowhere',
  variable: 'nowhere',
  variables: 'nowhere',
}

/** Returns whether a signal may have changed what a response shows to visitors. */
export function isOutdatedBy({ shows, repositories }: Dependencies, signal: Signal): boolean {
  if (signal.kind === 'missed') return true
  const reach = reaches[signal.kind.split('.', 1)[0] as Thing]
  if (reach === 'everywhere') return true
  if (reach === 'nowhere') return false
  if (shows === 'site') return reach === 'site'
  const repositoryId = 'repositoryId' in signal ? signal.repositoryId : null
  return repositoryId !== null && repositories.has(repositoryId)
}
