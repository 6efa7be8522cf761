import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { absentFeature } from '@/app/_features/repos/absent-features'
import { MissingPage } from '@/app/_features/repos/missing-page'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { decodeSegment, encodedPath, repositoryPath } from '@/app/_lib/paths'

interface RestPageProps {
  params: Promise<{ username: string; repo: string; rest: string[] }>
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> =>
  titleOf(props, 'Page not found')

/** Redirects Gitea's repository URLs to the closest matching page of Guildhall; for others, says what is missing. */
export default async function RestPage({ params }: RestPageProps): Promise<ReactNode> {
  const { username, repo, rest } = await params
  const { repository } = await repositoryAt(username, repo)
  const part = partOf(rest.join('/'), repository.default_branch)
  if (part !== undefined) redirect(repositoryPath(repository) + part)
  const { title, text, instead } = absentFeature(rest[0] ?? '')
  return (
    <MissingPage
      title={title}
      instead={<ButtonLink href={repositoryPath(repository, instead.at)}>{instead.label}</ButtonLink>}
    >
      <p>{text}</p>
    </MissingPage>
  )
}

function partOf(path: string, defaultBranch: string): string | undefined {
  // GitHub's addresses of files and directories.
  const [, ofGitHub] = /^(?:tree|blob)\/(.+)$/s.exec(path) ?? []
  if (ofGitHub) return `/src/${ofGitHub}`
  // The address to which badges lead on GitHub and Gitea.
  const [, workflow] = /^actions\/workflows\/([^/]+)$/.exec(path) ?? []
  if (workflow) return `/actions?workflow=${workflow}`
  const [, kind = '', name = ''] = /^rss\/(branch|tag)\/([^/]+)/.exec(path) ?? []
  if (kind === 'tag') return `/tags?q=${name}`
  if (kind === 'branch') return decodeSegment(name) === defaultBranch ? '' : `/branches?q=${name}`
  if (/^(src|raw|media|archive|find|search)(\/|$)/.test(path)) return ''
  if (/^(commits|graph)$/.test(path)) return `/commits/branch/${encodedPath(defaultBranch)}`
  const [, type] = /^settings\/hooks\/([a-z]+)\/new$/.exec(path) ?? []
  if (type) return `/settings/hooks/new?type=${type}`
  return new Map([
    ['settings/collaboration', '/settings/access'],
    ['settings/branches', '/branches'],
  ]).get(path)
}
