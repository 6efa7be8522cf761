import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { readCodeAddress } from '@/app/_features/code/address'
import { CodeScreen } from '@/app/_features/code/code-screen'
import { CodeState } from '@/app/_features/code/code-state'
import { editingOf } from '@/app/_features/code/edit/editing'
import { requireCode, titleOf } from '@/app/_features/repos/read-repository'
import { codePath, decodeSegment } from '@/app/_lib/paths'
import { caller, orAbsent, type SearchParams, textParam } from '@/app/_lib/server'

interface CodePathProps {
  params: Promise<{ username: string; repo: string; path: string[] }>
  searchParams: SearchParams
}

export const generateMetadata = async (props: CodePathProps): Promise<Metadata> =>
  titleOf(props, decodeSegment((await props.params).path.at(-1) ?? ''))

/** Page of a file or directory at a branch, tag, or commit. */
export default async function CodePathPage({ params, searchParams }: CodePathProps): Promise<ReactNode> {
  const { path: segments } = await params
  const home = await requireCode(params)
  const { repository } = home
  const { kind, path } = readCodeAddress(segments)
  const asked = { owner: repository.owner.login, repo: repository.name, kind, path }
  const display = await textParam(searchParams, 'display')
  const page = await orAbsent(
    (await caller()).code.pages.showPath({ ...asked, source: display === 'source' }),
  )
  if (page && kind === 'any') redirect(codePath(repository, 'src', page.revision, page.path))
  return (
    <CodeState
      key={`${path}?${display}`}
      repository={repository}
      asked={asked}
      revision={page?.revision}
      section="src"
    >
      {page ? <CodeScreen repository={repository} page={page} editing={await editingOf(home)} /> : null}
    </CodeState>
  )
}
