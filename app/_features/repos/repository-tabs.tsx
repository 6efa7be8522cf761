'use client'
import { GearIcon, GitBranchIcon, HomeIcon, PulseIcon, TagIcon } from '@primer/octicons-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Tabs } from '@/app/_components/tabs'
import { repositoryPath } from '@/app/_lib/paths'
import type { RepositoryHome } from '@/server/repos/schema'

/** The parts of a repository that this viewer may see. */
export function RepositoryTabs({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, branches, tags, mayAdminister } = home
  const current = usePathname().split('/')[3] ?? ''
  const code = [
    { segment: 'branches', label: 'Branches', Icon: GitBranchIcon, count: branches },
    { segment: 'tags', label: 'Tags', Icon: TagIcon, count: tags ?? undefined },
  ]
  const tabs = [
    { segment: '', label: 'Home', Icon: HomeIcon },
    ...(repository.permissions.pull ? code : []),
    { segment: 'activity', label: 'Activity', Icon: PulseIcon },
    ...(mayAdminister ? [{ segment: 'settings', label: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <Tabs
      label="Repository"
      tabs={tabs.map(({ segment, ...tab }) => ({
        ...tab,
        href: repositoryPath(repository, segment),
        current: segment === current,
      }))}
    />
  )
}
