'use client'
import type { ReactNode } from 'react'
import { Button, Radio } from '@/app/_components/primer'
import { type Choice, type Choices, sameForAll } from './chosen-scopes'
import { categoryLabels, type OfferedCategory } from './scope-labels'
import styles from './tokens.module.css'

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

/** One row for each part of the product, one choice in each row. */
export function ScopeMatrix({ categories, choices, onChange }: ScopeMatrixProps): ReactNode {
  return (
    <div className={styles.matrix}>
      <div className={styles.all}>
        <span className={styles.allLabel}>Set all to</span>
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
