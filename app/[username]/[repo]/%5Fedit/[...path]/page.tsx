import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EditGate, type EditParams } from '@/app/_features/code/edit/edit-gate'
import { FileEditor } from '@/app/_features/code/edit/file-editor'
import { titleOf } from '@/app/_features/repos/read-repository'
import { decodeSegment } from '@/app/_lib/paths'
import { type SearchParams, textParam } from '@/app/_lib/server'

export const generateMetadata = async (props: EditParams): Promise<Metadata> =>
  titleOf(props, `Edit ${decodeSegment((await props.params).path.at(-1) ?? '')}`)

/** Page that edits or renames a file. */
export default async function EditFilePage({
  params,
  searchParams,
}: EditParams & { searchParams: SearchParams }): Promise<ReactNode> {
  const isRename = (await textParam(searchParams, 'rename')) !== ''
  return (
    <EditGate params={params} title="Edit a file" needsFile>
      {(page, repository) => (
        <FileEditor
          key={`${page.branch} ${page.path}`}
          repository={repository}
          page={page}
          isRename={isRename}
        />
      )}
    </EditGate>
  )
}
