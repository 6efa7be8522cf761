import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { CodeState } from '@/app/_features/code/code-state'
import { requireCodeEdit } from '@/app/_features/code/edit/read-edit'
import { UploadScreen } from '@/app/_features/code/upload/upload-screen'
import { titleOf } from '@/app/_features/repos/read-repository'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, orAbsent } from '@/app/_lib/server'

interface UploadPageProps {
  params: Promise<{ username: string; repo: string; path: string[] }>
}

export const generateMetadata = (props: UploadPageProps): Promise<Metadata> => titleOf(props, 'Upload files')

/** Page that adds files to a directory of a branch, which need not exist yet. */
export default async function UploadPage({ params }: UploadPageProps): Promise<ReactNode> {
  const { home, newBranch } = await requireCodeEdit(params)
  const { repository } = home
  const path = { owner: repository.owner.login, repo: repository.name }
  const { path: segments } = await params
  const common = { repository: path, newBranch }
  const isFirst = repository.empty && segments.map(decodeSegment).join('/') === repository.default_branch
  if (isFirst)
    return <UploadScreen {...common} branch={repository.default_branch} commit={null} directory="" />
  const asked = { ...path, kind: 'branch' as const, path: segments.join('/') }
  const { revision = null, path: directory = '' } =
    (await orAbsent((await caller()).code.pages.explainMissing(asked))) ?? {}
  return (
    <CodeState
      key={asked.path}
      repository={repository}
      asked={asked}
      revision={revision ?? undefined}
      section="src"
    >
      {revision ? (
        <UploadScreen {...common} branch={revision.name} commit={revision.commit} directory={directory} />
      ) : null}
    </CodeState>
  )
}
