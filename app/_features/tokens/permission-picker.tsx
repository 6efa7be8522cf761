'use client'
import { AlertFillIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ChoiceGroup } from '@/app/_components/choice-group'
import { Checkbox, FormControl, Radio } from '@/app/_components/primer'
import type { Permissions } from './chosen-scopes'
import type { OfferedCategory } from './scope-labels'
import { ScopeMatrix } from './scope-matrix'
import styles from './tokens.module.css'

interface PermissionPickerProps {
  categories: readonly OfferedCategory[]
  permissions: Permissions
  error: string | undefined
  onChange: (permissions: Permissions) => void
}

export function PermissionPicker(props: PermissionPickerProps): ReactNode {
  const { categories, permissions, error, onChange } = props
  const change = (part: Partial<Permissions>): void => onChange({ ...permissions, ...part })
  return (
    <ChoiceGroup legend="Permissions" describedBy={error ? 'permissions-error' : undefined}>
      <FormControl>
        <Radio
          name="reach"
          value="chosen"
          checked={!permissions.full}
          onChange={() => change({ full: false })}
        />
        <FormControl.Label>Only what I choose</FormControl.Label>
      </FormControl>
      <FormControl>
        <Radio name="reach" value="all" checked={permissions.full} onChange={() => change({ full: true })} />
        <FormControl.Label>Full access</FormControl.Label>
        <FormControl.Caption>Everything you can do, the token can do.</FormControl.Caption>
      </FormControl>
      {permissions.full ? null : (
        <ScopeMatrix
          categories={categories}
          choices={permissions.choices}
          onChange={choices => change({ choices })}
        />
      )}
      <FormControl>
        <Checkbox
          checked={permissions.publicOnly}
          onChange={event => change({ publicOnly: event.target.checked })}
        />
        <FormControl.Label>Public things only</FormControl.Label>
        <FormControl.Caption>
          The token cannot see anything private, whatever is chosen above.
        </FormControl.Caption>
      </FormControl>
      {error ? (
        <p id="permissions-error" role="alert" className={styles.error}>
          <AlertFillIcon size={12} /> {error}
        </p>
      ) : null}
    </ChoiceGroup>
  )
}
