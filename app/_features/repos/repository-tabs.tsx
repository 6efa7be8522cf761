'use client'
import { GearIcon, GitBranchIcon, HomeIcon, PulseIcon, TagIcon } from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Tabs } from '@/app/_components/tabs'
import type { RepositoryHome } from '@/server/repos/schema'
import { repositoryAddress } from './repository-address'

/** The parts of a repository that this viewer may see. */
export function RepositoryTabs({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, branches, tags, mayAdminister } = home
  const current = usePathname().split('/')[3] ?? ''
  const code = [
    { part: 'branches', words: 'Branches', Icon: GitBranchIcon, count: branches },
    { part: 'tags', words: 'Tags', Icon: TagIcon, count: tags ?? undefined },
  ]
  const tabs = [
    { part: '', words: 'Home', Icon: HomeIcon },
    ...(repository.permissions.pull ? code : []),
    { part: 'activity', words: 'Activity', Icon: PulseIcon },
    ...(mayAdminister ? [{ part: 'settings', words: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <Tabs
      label="Repository"
      tabs={tabs.map(({ part, ...tab }) => ({
        ...tab,
        href: repositoryAddress(repository, part),
        current: part === current,
      }))}
    />
  )
}
