'use client'
import type { ReactNode } from 'react'
import { ChoiceGroup } from '@/app/_components/fields'
import { AlertFillIcon } from '@/app/_components/icons'
import { Button, Checkbox, FormControl, Radio } from '@/app/_components/primer'
import {
  type Choice,
  type Choices,
  categoryLabels,
  forGit,
  type OfferedCategory,
  type Permissions,
  sameForAll,
} from './scopes'
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
          value="selected"
          checked={!permissions.full}
          onChange={() => change({ full: false })}
        />
        <FormControl.Label>Selected permissions</FormControl.Label>
      </FormControl>
      <FormControl>
        <Radio name="reach" value="all" checked={permissions.full} onChange={() => change({ full: true })} />
        <FormControl.Label>Full access</FormControl.Label>
        <FormControl.Caption>Can do anything you can do.</FormControl.Caption>
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
        <FormControl.Label>Public only</FormControl.Label>
        <FormControl.Caption>
          Limits the permissions above to public repositories and organizations.
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

const levels: { choice: Choice; label: string }[] = [
  { choice: 'none', label: 'None' },
  { choice: 'read', label: 'Read' },
  { choice: 'write', label: 'Read and write' },
]

interface ScopeMatrixProps {
  categories: readonly OfferedCategory[]
  choices: Choices
  onChange: (choices: Choices) => void
}

/** Rows of radio buttons, one row for each category of token scopes. */
function ScopeMatrix({ categories, choices, onChange }: ScopeMatrixProps): ReactNode {
  return (
    <div className={styles.matrix}>
      <div className={styles.all}>
        <Button size="small" onClick={() => onChange(forGit.choices)}>
          Use with Git
        </Button>
        <span className={styles.allLabel}>or set all to</span>
        {levels.map(({ choice, label }) => (
          <Button key={choice} size="small" onClick={() => onChange(sameForAll(categories, choice))}>
            {label}
          </Button>
        ))}
      </div>
      {categories.map(category => (
        <fieldset key={category} className={styles.row}>
          <legend className={styles.legend}>{categoryLabels[category].name}</legend>
          <span className={styles.about}>{categoryLabels[category].about}</span>
          <span className={styles.levels}>
            {levels.map(({ choice, label }) => (
              // biome-ignore lint/a11y/noLabelWithoutControl: the kit's radio button is the control
              <label key={choice} className={styles.level}>
                <Radio
                  name={`scope-${category}`}
                  value={choice}
                  checked={choices[category] === choice}
                  onChange={() => onChange({ ...choices, [category]: choice })}
                />
                {label}
              </label>
            ))}
          </span>
        </fieldset>
      ))}
    </div>
  )
}
