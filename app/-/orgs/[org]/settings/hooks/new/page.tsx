import { newPage } from '@/app/_features/hooks/pages/new-page'
import { placeOfOrg } from '@/app/_features/hooks/places'

export const metadata = { title: 'New webhook' }

export default newPage(placeOfOrg)
