import { oneOf, type Random } from '@/testing/random'
import { admin } from '../guildhall'
import { hostileNames } from './names'
import type { HostileCommit } from './repositories'

/** Percent-encodes a path, and leaves its slashes. */
const encoded = (path: Buffer | string): string =>
  [...Buffer.from(path)]
    .map(byte => {
      const letter = String.fromCharCode(byte)
      return /[\w./-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')

const component = (text: string): string => encoded(text).replaceAll('/', '%2F')

const oddWords = [
  '',
  '0',
  '-1',
  '1e9',
  '99999999999999999999',
  'NaN',
  '%00',
  '%ff',
  'x'.repeat(2000),
  '../..',
  '..',
  'HEAD',
  '@',
  'main^',
  ':/x',
  '1970-01-01T00:00:00Z',
  'true',
  '2',
  '50',
]

const parameters = [
  'ref',
  'sha',
  'path',
  'page',
  'limit',
  'per_page',
  'recursive',
  'stat',
  'files',
  'since',
  'until',
  'not',
  'display',
  'whitespace',
  'file',
  'author',
  'q',
  'kind',
]

/** Returns a request for a commit: what the code of the site offers, with paths and queries that nobody expects. */
export function hostileRequest(random: Random, all: readonly HostileCommit[]): string {
  const target = oneOf(random, all)
  const { repository, commit, parent, tree } = target
  const path = pathIn(random, target)
  const branch = encoded(target.branch)
  const revision = oneOf(random, [
    `branch/${branch}`,
    `commit/${commit}`,
    `commit/${commit.slice(0, 8)}`,
    `tag/v-${branch}`,
  ])
  const name = oneOf(random, [target.branch, commit, commit.slice(0, 7), `v-${target.branch}`])
  const other = oneOf(
    random,
    all.filter(one => one.repository === repository),
  )
  const base = oneOf(random, [
    `${parent}...${commit}`,
    `${parent}..${commit}`,
    `${component(other.branch)}...${component(target.branch)}`,
    component(name),
  ])
  const api = `/api/v1/repos/${admin.name}/${repository}`
  const page = `/${admin.name}/${repository}`
  const blob = oneOf(random, [tree, commit, 'd'.repeat(40), '0'])
  const address = oneOf(random, [
    `${api}/contents/${path}?ref=${component(name)}`,
    `${api}/contents?ref=${component(name)}`,
    `${api}/raw/${path}?ref=${component(name)}`,
    `${api}/media/${path}?ref=${component(name)}`,
    `${api}/git/trees/${oneOf(random, [tree, component(name)])}?recursive=${random() < 0.5}`,
    `${api}/git/blobs/${blob}`,
    `${api}/git/commits/${component(name)}`,
    `${api}/git/commits/${commit}.${oneOf(random, ['diff', 'patch'])}`,
    `${api}/git/tags/${blob}`,
    `${api}/git/refs/heads/${branch}`,
    `${api}/commits?sha=${component(name)}&limit=${oneOf(random, [1, 30, 50])}`,
    `${api}/commits?sha=${component(name)}&path=${path}`,
    `${api}/compare/${base}`,
    `${api}/languages`,
    `${api}/licenses`,
    `${api}/branches/${branch}`,
    `${api}/archive/${branch}.${oneOf(random, ['zip', 'tar.gz', 'bundle'])}`,
    page,
    `${page}/src/${revision}`,
    `${page}/src/${revision}/${path}`,
    `${page}/src/${revision}/${path}?display=source`,
    `${page}/commits/${revision}`,
    `${page}/commits/${revision}/${path}`,
    `${page}/commit/${commit}`,
    `${page}/commit/${commit}.${oneOf(random, ['diff', 'patch'])}`,
    `${page}/compare/${base}`,
    `${page}/raw/${revision}/${path}`,
    `${page}/media/${revision}/${path}`,
    `${page}/branches`,
    `${page}/tags`,
    `/api/trpc/code.pages.lastCommits?input=${component(JSON.stringify({ owner: admin.name, repo: repository, commit, path: '' }))}`,
    `/api/trpc/code.pages.listPaths?input=${component(JSON.stringify({ owner: admin.name, repo: repository, commit }))}`,
  ])
  return random() < 0.2 ? withOddQuery(random, address) : address
}

function pathIn(random: Random, { paths }: HostileCommit): string {
  const path = random() < 0.8 && paths.length > 0 ? oneOf(random, paths) : oneOf(random, hostileNames)
  const text = encoded(path.subarray(0, 4000))
  const roll = random()
  if (roll < 0.05) return `${text}/..`
  if (roll < 0.1) return `./${text}//`
  if (roll < 0.15) return text.replaceAll('%', '%25')
  return text
}

function withOddQuery(random: Random, address: string): string {
  const query = Array.from(
    { length: 3 },
    () => `${oneOf(random, parameters)}=${component(oneOf(random, oddWords)).replaceAll('%25', '%')}`,
  )
  return `${address}${address.includes('?') ? '&' : '?'}${query.join('&')}`
}
