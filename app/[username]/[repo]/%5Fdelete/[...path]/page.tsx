import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { DeleteFile } from '@/app/_features/code/edit/delete-file'
import { EditGate, type EditParams } from '@/app/_features/code/edit/edit-gate'
import { titleOf } from '@/app/_features/repos/read-repository'
import { decodeSegment } from '@/app/_lib/paths'

export const generateMetadata = async (props: EditParams): Promise<Metadata> =>
  titleOf(props, `Delete ${decodeSegment((await props.params).path.at(-1) ?? '')}`)

/** Page that deletes a file. */
export default function DeleteFilePage({ params }: EditParams): ReactNode {
  return (
    <EditGate params={params} title="Delete a file" needsFile>
      {(page, repository) => (
        <DeleteFile key={`${page.branch} ${page.path}`} repository={repository} page={page} />
      )}
    </EditGate>
  )
}
