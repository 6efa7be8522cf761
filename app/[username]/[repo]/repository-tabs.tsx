'use client'
import { GearIcon, GitBranchIcon, HomeIcon, PulseIcon, TagIcon } from '@primer/octicons-react'
import NextLink from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { UnderlineNav } from '@/app/_components/primer'
import { repositoryAddress } from '@/app/_repos/repository-address'
import type { RepositoryHome } from '@/server/repos/schema'

/** The parts of a repository that this viewer may see. */
export function RepositoryTabs({ home }: { home: RepositoryHome }): ReactNode {
  const { repository, branches, tags, mayAdminister } = home
  const current = usePathname().split('/')[3] ?? ''
  const code = [
    { part: 'branches', words: 'Branches', Icon: GitBranchIcon, count: branches },
    { part: 'tags', words: 'Tags', Icon: TagIcon, count: tags },
  ]
  const tabs = [
    { part: '', words: 'Home', Icon: HomeIcon },
    ...(repository.permissions.pull ? code : []),
    { part: 'activity', words: 'Activity', Icon: PulseIcon },
    ...(mayAdminister ? [{ part: 'settings', words: 'Settings', Icon: GearIcon }] : []),
  ]
  return (
    <UnderlineNav aria-label="Repository" variant="flush">
      {tabs.map(({ part, words, Icon, ...tab }) => (
        <UnderlineNav.Item
          key={part}
          as={NextLink}
          href={repositoryAddress(repository, part)}
          leadingVisual={<Icon />}
          counter={'count' in tab ? tab.count : undefined}
          aria-current={part === current ? 'page' : undefined}
        >
          {words}
        </UnderlineNav.Item>
      ))}
    </UnderlineNav>
  )
}
