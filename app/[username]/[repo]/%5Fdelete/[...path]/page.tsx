import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import { CodeState } from '@/app/_features/code/code-state'
import { DeleteScreen } from '@/app/_features/code/edit/delete-screen'
import { requireCodeEdit } from '@/app/_features/code/edit/read-edit'
import { titleOf } from '@/app/_features/repos/read-repository'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, orAbsent } from '@/app/_lib/server'

interface DeletePageProps {
  params: Promise<{ username: string; repo: string; path: string[] }>
}

export const generateMetadata = async (props: DeletePageProps): Promise<Metadata> =>
  titleOf(props, `Delete ${decodeSegment((await props.params).path.at(-1) ?? '')}`)

/** Page that deletes the file at a branch and path. */
export default async function DeletePage({ params }: DeletePageProps): Promise<ReactNode> {
  const { home, newBranch } = await requireCodeEdit(params)
  const { repository } = home
  const path = { owner: repository.owner.login, repo: repository.name }
  const asked = { ...path, kind: 'branch' as const, path: (await params).path.join('/') }
  const { code } = await caller()
  const page = await orAbsent(code.pages.showPath(asked))
  if (page && (page.content.kind !== 'file' || page.content.symlink !== null)) notFound()
  const file = page?.content.kind === 'file' ? { ...page.content, path: page.path } : undefined
  const { paths } = page
    ? await code.pages.listPaths({ ...path, commit: page.revision.commit })
    : { paths: [] }
  return (
    <CodeState key={asked.path} repository={repository} asked={asked} revision={page?.revision} section="src">
      {page && file ? (
        <DeleteScreen
          repository={path}
          branch={page.revision.name}
          newBranch={newBranch}
          file={{ path: file.path, name: file.name, id: file.id, size: file.size }}
          remaining={remainingDirectory(file.path, paths)}
        />
      ) : null}
    </CodeState>
  )
}

/** Returns the innermost directory that contains another file. Git keeps no empty directories. */
function remainingDirectory(path: string, paths: readonly string[]): string {
  const parts = path.split('/').slice(0, -1)
  for (; parts.length > 0; parts.pop()) {
    const start = `${parts.join('/')}/`
    if (paths.some(other => other !== path && other.startsWith(start))) return parts.join('/')
  }
  return ''
}
