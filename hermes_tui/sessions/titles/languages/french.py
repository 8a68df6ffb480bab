"""French."""

from __future__ import annotations

from hermes_tui.sessions.titles.languages.language import Language

FRENCH = Language(
    code="fr",
    letters="çœ",
    elided=True,
    greetings="""
        bonjour|bonsoir|salut|coucou|hello|hey|yo|bjr|bsr|slt à_tous|a_tous|tous|toutes|tout_le_monde|l'_équipe|
            monsieur|madame|mesdames|messieurs|toi|vous|les_amis|les_gens|à_toutes_et_tous|à_toi|à_vous|encore?
        bonjour|salut à|a l' équipe
        bonne|bon matin|matinée|journée|soirée|après-midi|nuit|année à_tous|à_vous|à_toi?
        ça|ca|comment va|roule|allez-vous|vas-tu|ça_va|ca_va|tu_vas bien|aujourd'hui|toi?
        ça va
        comment allez-vous|vas-tu
        j' espère que tu|vous|tout|ça va|vas|allez|se_passe|portez_bien bien?
        cher|chère|chers|chères assistant|équipe|tous|monsieur|madame|collègues|hermes|ami|amis|support?
        madame monsieur?
        monsieur madame?
        mesdames messieurs?
        enchanté|enchantée
        quoi de neuf
    """,
    names="hermes assistant bot ami mec pote chef équipe gars frérot",
    polite="""
        s' il te|vous plait|plaît
        stp|svp|s'il-te-plaît|s'il-vous-plaît|siouplait
        merci|prière de bien|vouloir?
        si possible
        si tu peux|veux|as_le_temps
        si vous pouvez|voulez|avez_le_temps|le_voulez_bien
        si ça|cela ne te|vous dérange pas
    """,
    closing="""
        merci|mci|thx d' avance
        merci beaucoup|bien|infiniment|à_tous|a_tous|à_toi|à_vous|encore|pour_votre_aide|pour_ton_aide|pour_tout?
        merci d' avance pour? votre_aide|ton_aide|votre_réponse?
        un? grand|mille merci|mercis d'_avance?
        bien? cordialement|à_vous|à_toi
        bonne journée|soirée
        une|des|d' idée|idées|conseil|conseils
        que|quoi faire
        que dois-je|puis-je|faut-il faire
        qu' est-ce que je dois|peux|pourrais faire
        au secours
        à l' aide
    """,
    fillers="""
        alors|euh|heu|hum|hmm|bah|ben|bon|bref|dis|dites|tiens|ok|okay|d'_accord|voilà|voila|eh_bien|oh|ah
        petite|une|une_petite|j'ai_une|autre|simple question|questions rapide|bête|simple|toute_bête?
        j' ai une|une_petite|quelques|une_autre|des question|questions|demande rapide|bête|simple?
        je voulais|voudrais|souhaite|souhaiterais|veux te|vous|savoir|demander? demander|poser|savoir une|
            quelque_chose|un_truc|une_question|un_service? question?
        je peux te|vous poser|demander une_question|un_truc|quelque_chose
        puis-je|puis_je vous|te poser|demander une_question|quelque_chose
        désolé|desolé|désolée|pardon|excusez-moi|excuse-moi|pardonnez-moi de|pour te_déranger|vous_déranger|
            le_dérangement?
        en fait
        au fait
        du coup
        tout d' abord
        à vrai dire
        pour être honnête
        j' ai besoin d' aide
        tu es là
        il y a quelqu' un
        merci pour ta|votre|l' aide|réponse
        regarde|écoute|écoutez
    """,
    soft_fillers="""
        donc|et|mais|aussi|oui|bien|actuellement|maintenant|enfin|sinon|ensuite|simplement|juste|aujourd'hui|voici
        en ce moment
        pour l' instant
    """,
    frames="""
        est-ce que|qu' tu|vous|on|quelqu'_un|il pourrais|pourriez|peux|pouvez|peut|pourrait|voudrais|voudriez|veux|
            serait_possible|est_possible|saurais|sais|savez m'|nous|me|d'|de? aider? à|a|avec|dans|pour|d'|de?
        serait-il|est-il|c'_est|ce_serait|est-ce possible de|d'|que|pour_toi_de? m'|me? aider? à?
        peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|voudrais-tu|voudriez-vous|veux-tu|voulez-vous|sais-tu|
            savez-vous|saurais-tu|peux_tu|pourrais_tu|pouvez_vous|pourriez_vous|tu_peux|tu_pourrais|vous_pouvez|
            vous_pourriez|t'_es_capable_de m'|nous|me|bien|peut-être|aussi|juste|vite? aider|donner_un_coup_de_main|
            expliquer|faire|écrire|donner|préparer|générer|créer|trouver|proposer|dire|rédiger|montrer? à|a|avec|dans|
            pour|un|une|des|le|la|l'|d'|de|sur|concernant?
        tu|vous aurais|auriez|as|avez|connais|connaissez|connaîtrais un|une|des|d'|de|l'|par_hasard?
        quelqu' un a|aurait|connaît|connait|sait|peut|pourrait un|une|des|m'|comment? aider? à?
        aurais-tu|auriez-vous|as-tu|avez-vous|connais-tu|connaissez-vous un|une|des|d'|de?
        tu|vous veux|voulez|voudrais|voudriez bien? m'|me aider? à?
        aide-moi|aidez-moi|aide-nous|aidez-nous|aider|aide|besoin_d'_aide stp|un_peu|vite? à|a|avec|pour|dans|sur?
        j' ai|aurais|aurai|avais besoin|envie de|d'|du|des|urgemment? aide|conseils|ton_aide|votre_aide? pour|sur|
            avec|un|une?
        nous? avons|aurions besoin de|d' un|une?
        besoin de|d' un|une|aide? pour?
        je|j'|nous|on voudrais|voudrai|veux|souhaite|souhaiterais|aimerais|aimerai|désire|désirerais|voulais|
            souhaitais|cherche|recherche|dois|doit|devrais|voulons|souhaitons|aimerions|cherchons|veut|cherchais|
            tente|essaie|essaye bien|juste|vraiment|absolument|aussi|actuellement|à|de|d'? savoir|demander|comprendre|
            avoir|à|de|d'|obtenir|recevoir|faire? un|une|des|du|de_l'|tu|vous|m'_aides|d'|le|la? pouvais|pourrais|
            pouviez|pourriez|peux|m'|me? aider? à?
        je|j'|nous voudrais|veux|souhaite|souhaiterais|aimerais|aimerions|voudrions que|qu' tu|vous m'|me|nous aides|
            aidiez à|avec|pour
        je te|vous demande|prie|remercie|serais|saurais|saurai de|d'|reconnaissant|reconnaissante|gré|bien|si? de|d'|
            bien? bien_vouloir|me|m'|vouloir|tu|vous? aider? à?
        je me demandais|demande|demandais_donc si? tu|vous? pouvais|pouviez|pourrais|pourriez? m'|me? aider? à?
        si|que tu|vous pouvais|pouviez|peux|pouvez|pourrais|pourriez m'|me|nous? aider? à?
        je suis à_la_recherche|en_train d'|de|du un|une|essayer? de?
        il faut|faudrait|me_faut|me_faudrait|faudra|nous_faut un|une|des?
        y a-t-il|a_t_il|aurait-il un|une moyen|façon|possibilité de|d'|pour
        il|est-ce_qu'_il|y y? a|existe un|une moyen|façon|possibilité de|d'|pour
        donne-moi|donnez-moi|fais-moi|faites-moi|trouve-moi|propose-moi|file-moi|montre-moi|montrez-moi|conseille-moi|
            recommande-moi|suggère-moi|écris-moi|écrivez-moi|ecris-moi|prépare-moi|préparez-moi|crée-moi|cree-moi|
            génère-moi|rédige-moi|rédigez-moi|dessine-moi|envoie-moi|code-moi|donne_moi|fais_moi|ecris_moi un|une|des|
            le|la|l'|les|quelques|du|de_la?
        explique-moi|expliquez-moi|dis-moi|dites-moi|raconte-moi|parle-moi|explique_moi|dis_moi de|du|d'|sur|un_peu?
        merci|prière de|d' bien? vouloir? me|m'?
        ce|il serait|serait-il super|bien|génial|top|sympa|gentil de|d'|si|que tu|vous? me|m'? pouvais|peux|pourrais?
            aider?
        allons-y|on_va|nous_allons
        ta|votre tâche|mission|rôle est de|d'
        ma|la question est|serait si|de? savoir? si?
        ton|votre avis|conseil sur
        auriez-vous|aurais-tu l'_amabilité|la_gentillesse de|d'
        ce que je veux|cherche c' est
    """,
    asking="""
        dis-moi|dites-moi|explique-moi|expliquez-moi|explique|expliquer|montre-moi|dire|savoir|comprendre|trouver|
            découvrir|indique-moi|précise-moi|vérifie|regarde|me_dire|m'_expliquer|vérifier exactement|un_peu|bien?
        sais-tu|savez-vous|tu_sais|vous_savez|quelqu'_un_sait|une_idée_de|une_idée|as-tu_une_idée_de
        je|j' ne? sais|comprends|vois|comprend|arrive_pas_à_comprendre|trouve|ignore pas|plus|vraiment_pas|
            toujours_pas|pas_bien?
        je|j' veux|voudrais|aimerais|souhaite savoir|comprendre|connaître
        je me demande|demandais
        aucune|une idée de|d'?
    """,
    openers="""
        j' ai|avais un|une|des|le|la|l'|cette|ce|deux|trois|mes|mon|ma
        j' obtiens|utilise|habite|étudie|apprends|aurais toujours|actuellement|aussi|depuis_hier|souvent|encore? un|
            une|des|le|la|l'|cette|ce|deux|trois|mes|mon|ma?
        je|nous|on suis|sommes|reçois|vois|travaille|utilise|développe|prépare|avons|utilisons|a|est|tombe_sur|
            rencontre|bosse actuellement|sur|toujours|un|une|en_train_de? un|une|des|le|la|l'|ce|cette?
        il y a un|une|des|toujours?
        y a un|une|des
        voici|voilà|ci-joint|ci-dessous mon|ma|mes|le|la|les|un|une|l'?
        c'|ce est|sont un|une|le|la|mon|ma|pour?
        mon|le|notre problème est que|qu'|le_suivant?
    """,
    telling="j' je nous on mon ma mes notre nos il c' ce cette voici depuis hier aujourd'hui actuellement chez "
    "suite pour "
    "avec en au dans y suis ai ça ici à",
    orders="corrige corriger écris ecris écrire explique expliquer fais faire crée créer génère générer traduis "
    "traduire résume résumer cherche chercher trouve trouver dis montre calcule compare analyse optimise améliore "
    "vérifie convertis change ajoute supprime efface installe configure déploie teste refactorise simplifie organise "
    "planifie recommande suggère liste énumère rédige prépare conçois dessine trie filtre extrais lis ouvre ferme "
    "envoie achète réserve annule rappelle-moi rappelle mets enlève déplace renomme exécute télécharge programme "
    "implémente développe construis décris valide documente migre nettoie automatise donne-moi fais-moi explique-moi "
    "aide-moi trouve-moi écris-moi propose imagine réécris reformule continue complète invente joue calculer "
    "commente relis regarde examine évalue",
    making="""
        écris|fais|crée|génère|rédige|prépare|conçois|dessine|construis|développe|propose|cherche|trouve|écrire|faire|
            créer|générer|rédiger|préparer|réalise|programme un|une|des
        je|j' n'_arrive_pas_à|ne_peux_pas
    """,
    roles="""
        en tant qu'|que
        comme un|une
        tu|vous es|êtes un|une|mon|ma
        agis|réponds|comporte-toi comme|en_tant_que un|une|mon?
        imagine|imaginez que tu|vous es|êtes?
    """,
    small="""
        moi|nous stp|svp?
    """,
    questions="quoi que qui quel quelle quels quelles comment pourquoi combien quand où ou_est est-ce qu' qu'est-ce "
    "lequel "
    "laquelle peut-on puis-je dois-je faut-il y est-il vaut-il",
    asides="""
        comment faire pour|afin_de
        comment puis-je|peut-on|pourrais-je|dois-je|je_peux|on_peut|je_fais_pour|on_fait_pour|fait-on_pour|pourrait-on
        quel|quelle|quels|quelles est|sont|serait|seraient le|la|les|l'
        qu' est-ce que|qui c'_est? que|le|la|l'?
        puis-je|dois-je|peut-on|faut-il
        que faut-il|dois-je|faire savoir|prévoir|pour|si pour|sur?
        est-ce que|qu' je|on peux|peut|dois|doit
    """,
    blocks="que qu'",
    labels="question tâche problème sujet objet demande erreur note contexte objectif aide re fwd tr todo bug ps titre",
    refers="ça cela ceci",
    articles="le la les l' un une des du",
    leading="un une des",
    leading_before_capital="",
    possessives="mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs",
    skipped="",
    prepositions="dans avec pour par sans sous sur chez depuis jusqu' jusque vers en entre contre pendant durant selon "
    "via malgré parmi avant après hors dès afin au aux",
    tight="de d' du des à comme",
    since="de d' depuis du",
    until="à jusqu' vers au",
    pairing="entre compare comparer",
    choosing="ou",
    joining="et ou ni",
    clauses="parce quand lorsque lorsqu' si mais car alors puisque puisqu' tandis quoique donc afin",
    half="quand",
    relatives="que qu' qui où dont lequel laquelle comment pourquoi quel quelle",
    subjects="je j' tu il elle on nous vous ils elles c' ça",
    auxiliaries="est sont était étaient sera a ont avait avaient ai as avons avez peut peuvent peux doit doivent va "
    "vont "
    "être avoir fait suis es soit n' ne aura veut vit dit vient adore aime",
    adverbs="très trop moins ne n' aussi même encore déjà assez si tout toute tous toutes chaque quelques "
    "plusieurs certains certaines autre autres ce cet cette ces aucun aucune bien seulement juste nouveau nouvelle "
    "nouveaux toujours beaucoup peu",
    loose="pas plus jamais rien",
    clitics="me m' te t' se s' y ne n'",
    toward="à",
    particles="me m' te t' se s' lui y moi toi soi eux leur ici là hier demain oui non rien ça cela ceci quelque "
    "quelqu' un l' merci bonjour plaît plait il-y-a alors",
    generic="aide aider problème problèmes erreur erreurs question questions code chose choses truc moyen façon faire "
    "fais fait corriger corrige résoudre solution idée idées conseil conseils suivant suivante suivants joint dessous "
    "signifie veut dire passe sais savoir comprends comprendre explique expliquer regarde regarder voir vois marche "
    "fonctionne fonctionner besoin veux voudrais cherche peux pouvez pourrais texte message exemple cher espère vite "
    "urgent possible log logs capture lien merci essaie essayer bien mal mieux réponse donne dis voici ai j' "
    "cordialement madame monsieur conseiller conseillez-vous conseilles-tu recommandez-vous",
    trouble="échoue échouent échec échoué erreur erreurs cassé cassée plante planté bloque bloqué bloquée lent lente "
    "répond marche fonctionne pas plus mal douleur perdu perdue refusé rejeté expiré plein pleine redémarre exception "
    "problème perd fuit fuite malade fièvre panne impossible ferme éteint",
)
