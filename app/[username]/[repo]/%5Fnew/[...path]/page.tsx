import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EditGate, type EditParams } from '@/app/_features/code/edit/edit-gate'
import { FileEditor } from '@/app/_features/code/edit/file-editor'
import { titleOf } from '@/app/_features/repos/read-repository'

export const generateMetadata = (props: EditParams): Promise<Metadata> => titleOf(props, 'New file')

/** Page that creates a file. */
export default function NewFilePage({ params }: EditParams): ReactNode {
  return (
    <EditGate params={params} title="Create a file" needsFile={false}>
      {(page, repository) => (
        <FileEditor key={`${page.branch} ${page.path}`} repository={repository} page={page} />
      )}
    </EditGate>
  )
}
