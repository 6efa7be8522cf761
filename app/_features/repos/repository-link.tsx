import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/quiet-link'
import { repositoryAddress } from './repository-address'

interface RepositoryLinkProps {
  repository: { full_name: string }
  inline?: boolean
}

export function RepositoryLink({ repository, inline = false }: RepositoryLinkProps): ReactNode {
  return (
    <QuietLink href={repositoryAddress(repository)} inline={inline}>
      {repository.full_name}
    </QuietLink>
  )
}
