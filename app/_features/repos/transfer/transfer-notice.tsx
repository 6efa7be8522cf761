import type { ReactNode } from 'react'
import { RelativeDate } from '@/app/_components/relative-date'
import type { RepositoryHome } from '@/server/repos/schema'
import { OfferActions } from './offer-actions'
import styles from './transfer.module.css'

interface TransferNoticeProps {
  repository: RepositoryHome['repository']
  transfer: NonNullable<RepositoryHome['transfer']>
}

/** Says above every page of a repository that it waits for another owner. */
export function TransferNotice({ repository, transfer }: TransferNoticeProps): ReactNode {
  const { recipient, doer, teams, created_at, may_accept: mayAccept, may_cancel: mayCancel } = transfer
  const { owner, name } = repository
  return (
    <section className={styles.notice} aria-label="Waiting transfer">
      <div className={styles.text}>
        <strong>
          {mayAccept
            ? `${doer} wants to give this repository to ${recipient}`
            : `Waiting for ${recipient} to accept this repository`}
        </strong>
        <span className={styles.muted}>
          Offered <RelativeDate value={created_at} />
          {mayAccept ? '' : ` by ${doer}`}
          {teams.length > 0
            ? `; it goes to the ${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}`
            : ''}
          .
        </span>
      </div>
      <div className={styles.actions}>
        <OfferActions owner={owner.login} repo={name} {...{ recipient, mayAccept, mayCancel }} />
      </div>
    </section>
  )
}
