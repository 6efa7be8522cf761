import type { Generated } from 'kysely'

export interface SshHostKeysTable {
  /** Key algorithm as named in the key itself, such as `ssh-ed25519`. */
  algorithm: string
  /** Public key as one line in OpenSSH format. */
  public_key: string
  /** Private key in OpenSSH format, encrypted with the instance key. */
  sealed_private_key: Buffer
  created_at: Generated<Date>
}
