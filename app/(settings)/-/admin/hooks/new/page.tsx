import { newPage } from '@/app/_features/hooks/pages/new-page'
import { placeOfSite } from '@/app/_features/hooks/places'

export const metadata = { title: 'New webhook' }

export default newPage(placeOfSite)
