import { notFound, redirect } from 'next/navigation'
import { repositoryAddress } from '@/app/_features/repos/repository-address'
import { repositoryAt } from '@/app/_features/repos/repository-at'
import { decoded } from '@/app/_lib/decoded'

interface RestPageProps {
  params: Promise<{ username: string; repo: string; rest: string[] }>
}

/** Addresses that Gitea gives the parts of a repository lead to the page that shows most of it here. */
export default async function RestPage({ params }: RestPageProps): Promise<never> {
  const { username, repo, rest } = await params
  const { repository } = await repositoryAt(username, repo)
  const part = partOf(rest.join('/'), repository.default_branch)
  if (part === undefined) notFound()
  redirect(repositoryAddress(repository) + part)
}

function partOf(path: string, defaultBranch: string): string | undefined {
  const [, kind = '', name = ''] = /^(?:src|commits|rss)\/(branch|tag)\/([^/]+)/.exec(path) ?? []
  if (kind === 'tag') return `/tags?q=${name}`
  if (kind === 'branch') return decoded(name) === defaultBranch ? '' : `/branches?q=${name}`
  if (/^(src|raw|media|archive|find|search)(\/|$)/.test(path)) return ''
  if (/^(commits|commit|compare|graph)(\/|$)/.test(path)) return '/activity'
  return new Map([
    ['releases', '/tags'],
    ['settings/collaboration', '/settings/access'],
    ['settings/branches', '/branches'],
  ]).get(path)
}
