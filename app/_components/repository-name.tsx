'use client'
import type { ReactNode } from 'react'
import { repositoryPath } from '@/app/_lib/paths'
import type { Repository } from '@/server/repos/schema'
import { QuietLink } from './links'
import { Label } from './primer'

interface RepositoryLinkProps {
  repository: { full_name: string }
  inline?: boolean
}

export function RepositoryLink({ repository, inline = false }: RepositoryLinkProps): ReactNode {
  return (
    <QuietLink href={repositoryPath(repository)} inline={inline}>
      {repository.full_name}
    </QuietLink>
  )
}

type Marked = Pick<Repository, 'private' | 'internal' | 'archived' | 'template'>

/** Labels for a repository's visibility, and for templates and archived repositories. */
export function RepositoryLabels({ repository }: { repository: Marked }): ReactNode {
  return (
    <>
      <Label variant="secondary">{visibilityLabel(repository)}</Label>
      {repository.template ? <Label variant="accent">Template</Label> : null}
      {repository.archived ? <Label variant="attention">Archived</Label> : null}
    </>
  )
}

function visibilityLabel(repository: Marked): string {
  if (repository.private) return 'Private'
  return repository.internal ? 'Internal' : 'Public'
}
