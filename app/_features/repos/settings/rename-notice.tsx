'use client'
import type { ReactNode } from 'react'
import { CommandLine } from '@/app/_components/command-line'
import { Banner } from '@/app/_components/primer'
import { shellWord } from '@/app/_lib/format'
import type { Repository } from '@/server/repos/schema'

interface RenameNoticeProps {
  repository: Repository
  /** The name to come. */
  name: string
}

/** What another name means for those who know the old one. */
export function RenameNotice({ repository, name }: RenameNoticeProps): ReactNode {
  const { owner, full_name, clone_url } = repository
  if (name === '' || name === repository.name) return null
  const address = clone_url.replace(`${full_name}.git`, `${owner.login}/${name}.git`)
  return (
    <Banner
      variant="info"
      title="The repository gets another address"
      description={
        <>
          <p>
            Links and clones of {full_name} are led on to the new name, until another repository takes the old
            one. Clones are best told the new address:
          </p>
          <CommandLine command={`git remote set-url origin ${shellWord(address)}`} />
        </>
      }
    />
  )
}
