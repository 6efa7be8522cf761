import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { TextLink } from '@/app/_components/links'
import { AccessExplained } from '@/app/_features/repos/access/access-explained'
import { repositoryPath } from '@/app/_lib/paths'
import type { AccessExplanation, Repository } from '@/server/repos/schema'
import styles from './home.module.css'
import { LeaveRepositoryButton } from './leave-button'

interface YourAccessProps {
  explanation: AccessExplanation
  repository: Repository
}

/** Panel that explains the viewer's own access to a repository, and lets collaborators leave it. */
export function YourAccess({ explanation, repository }: YourAccessProps): ReactNode {
  return (
    <Panel title="Your access">
      <AccessExplained explanation={explanation} subject={repository} isOwn />
      {isCollaborator(explanation) ? (
        <LeaveRepositoryButton repository={repository} me={explanation.user.login} />
      ) : null}
      <p className={styles.more}>
        <TextLink href={repositoryPath(repository)}>Hide explanation</TextLink>
      </p>
    </Panel>
  )
}

const isCollaborator = ({ units }: AccessExplanation): boolean =>
  units.some(({ reasons }) => reasons.some(({ source }) => source === 'collaborator'))
