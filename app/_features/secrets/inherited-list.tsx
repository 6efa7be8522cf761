import type { ReactNode } from 'react'
import { ListBox, ListRow } from '@/app/_components/box'
import { CopyButton } from '@/app/_components/copy-button'
import { Label } from '@/app/_components/primer'
import type { InheritedVariable } from '@/server/secrets/manage/schema'
import { kindLabels } from './labels'
import type { VariableListName } from './queries'
import styles from './secrets.module.css'

interface InheritedListProps {
  list: VariableListName
  inherited: readonly InheritedVariable[]
}

/** Lists the secrets or variables that jobs inherit from outer scopes. Renders nothing if there are none. */
export function InheritedList({ list: { scope, kind }, inherited }: InheritedListProps): ReactNode {
  const { icon: Visual, reference } = kindLabels[kind]
  if (inherited.length === 0) return null
  const owner = scope.kind === 'repository' ? scope.owner : 'its owner'
  return (
    <div className={styles.inherited}>
      <ListBox title={`Inherited ${kind}s`} total={inherited.length}>
        {inherited.map(({ name, from, overridden }) => (
          <ListRow key={`${from} ${name}`} visual={<Visual />}>
            <div className={styles.head}>
              <code className={styles.name}>{name}</code>
              <span className={styles.description}>
                {from === 'owner' ? `From ${owner}` : 'From the site'}
              </span>
              {overridden ? <Label variant="attention">Overridden</Label> : null}
              {overridden ? null : <CopyButton text={reference(name)} what={`reference to ${name}`} />}
            </div>
          </ListRow>
        ))}
      </ListBox>
    </div>
  )
}
