import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { SearchIcon } from '@/app/_components/icons'
import { markAbsent } from '@/app/_lib/server'

interface MissingPageProps {
  title: string
  children?: ReactNode
  /** Link to where people can go instead. */
  instead: ReactNode
}

/** Content of a page of a repository that does not exist, for people who can see the repository. Its status is 404. */
export function MissingPage({ title, children, instead }: MissingPageProps): ReactNode {
  markAbsent()
  return (
    <>
      <span data-gone hidden />
      <EmptyState icon={SearchIcon} title={title} action={instead}>
        {children}
      </EmptyState>
    </>
  )
}
