import type { ReactNode } from 'react'
import type { Repository } from '@/server/repos/schema'
import { CloneBox } from './clone-box'
import { CloneDropdown } from './clone-dropdown'

/** Button that shows how to clone a repository, and offers its files as an archive. */
export function CloneMenu({ repository }: { repository: Repository }): ReactNode {
  return (
    <CloneDropdown fullName={repository.full_name} branch={repository.default_branch}>
      <CloneBox repository={repository} />
    </CloneDropdown>
  )
}
