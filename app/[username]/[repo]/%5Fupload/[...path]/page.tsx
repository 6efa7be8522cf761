import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EditGate, type EditParams } from '@/app/_features/code/edit/edit-gate'
import { UploadFiles } from '@/app/_features/code/edit/upload-files'
import { titleOf } from '@/app/_features/repos/read-repository'

export const generateMetadata = (props: EditParams): Promise<Metadata> => titleOf(props, 'Upload files')

/** Page that uploads files to a directory. */
export default function UploadFilesPage({ params }: EditParams): ReactNode {
  return (
    <EditGate params={params} title="Upload files" needsFile={false}>
      {(page, repository) => (
        <UploadFiles key={`${page.branch} ${page.path}`} repository={repository} page={page} />
      )}
    </EditGate>
  )
}
